package dev.gorkie.way;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import com.sun.net.httpserver.HttpServer;
import dev.gorkie.local.aws.Code;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.zip.ZipFile;

/// The artifact both functions are deployed from, unpacked and run as Lambda runs it: a native one is a program, one of
/// classes is run by AWS's own runtime client.
///
/// Lambda puts the unpacked folder on the class path. Here what lies in it loose is a jar: of jars Java keeps an
/// archive of loaded classes, with which a process is up in half the time.
public record FunctionZip(Path directory, boolean isNative) {

  private static final String HANDLER =
      "io.quarkus.amazon.lambda.runtime.QuarkusStreamHandler::handleRequest";

  private static final Path TARGET = Path.of("target").toAbsolutePath();
  private static final Path OF_CLASSES = Path.of("target-lambda", "function.zip");

  /// What `make native` builds.
  static final Path NATIVE = Path.of("target-lambda-native", "function.zip");

  // Lambda runs what has this name, where it brings no runtime of its own.
  private static final String PROGRAM = "bootstrap";
  // As much as a function of half a gigabyte should take.
  private static final String HEAP = "-Xmx256m";
  private static final String LIBRARY = "libaws-lambda-jni.so";
  private static final String CLASSES = "classes.jar";
  private static final String ARCHIVE = "classes.jsa";
  // Some seconds on a quiet machine; without its archive the function only starts more slowly.
  private static final int ARCHIVED_SECONDS_MAX = 60;

  /// The one that the environment names, else the one of classes.
  public static FunctionZip unpacked() throws IOException, InterruptedException {
    var named = System.getenv("FUNCTION_ZIP");
    return unpacked(named == null || named.isEmpty() ? OF_CLASSES : Path.of(named));
  }

  /// Once for each build, in whatever process somebody asks first.
  public static synchronized FunctionZip unpacked(Path zip)
      throws IOException, InterruptedException {
    var name = "function-" + Integer.toHexString(zip.toAbsolutePath().hashCode());
    var function = new FunctionZip(TARGET.resolve(name), isNative(zip));
    Files.createDirectories(TARGET);
    try (var file = FileChannel.open(TARGET.resolve(name + ".lock"), CREATE, WRITE);
        var _ = file.lock()) {
      if (!function.isOf(zip)) {
        remove(function.directory);
        if (function.isNative) {
          function.unpackProgram(zip);
        } else {
          function.unpackClasses(zip);
          function.archive();
        }
      }
    }
    return function;
  }

  private boolean isOf(Path zip) throws IOException {
    var last = directory.resolve(isNative ? PROGRAM : ARCHIVE);
    return Files.exists(last)
        && Files.getLastModifiedTime(last).compareTo(Files.getLastModifiedTime(zip)) >= 0;
  }

  private static boolean isNative(Path zip) throws IOException {
    try (var content = new ZipFile(zip.toFile())) {
      return content.getEntry(PROGRAM) != null;
    }
  }

  private void unpackProgram(Path zip) throws IOException {
    Files.createDirectories(directory);
    var program = directory.resolve(PROGRAM);
    try (var archive = new ZipFile(zip.toFile());
        var content = archive.getInputStream(archive.getEntry(PROGRAM))) {
      Files.copy(content, program);
    }
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static void remove(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (var all = Files.walk(folder)) {
        for (var file : all.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  private void unpackClasses(Path function) throws IOException {
    Files.createDirectories(directory.resolve("lib"));
    try (var zip = new ZipFile(function.toFile());
        var classes = new JarOutputStream(Files.newOutputStream(directory.resolve(CLASSES)))) {
      // The archive holds some names twice; whoever asks for one gets the last.
      var names = zip.stream().filter(entry -> !entry.isDirectory()).map(Object::toString);
      for (var name : names.distinct().toList()) {
        try (var content = zip.getInputStream(zip.getEntry(name))) {
          if (name.startsWith("lib/")) {
            Files.copy(content, directory.resolve(name));
          } else {
            classes.putNextEntry(new JarEntry(name));
            content.transferTo(classes);
          }
        }
      }
    }
    try (var library = FunctionZip.class.getResourceAsStream("/jni/" + library())) {
      Files.copy(Objects.requireNonNull(library), directory.resolve(LIBRARY));
    }
  }

  private static String library() {
    var arm = System.getProperty("os.arch").equals("aarch64");
    return "libaws-lambda-jni.linux-" + (arm ? "aarch_64" : "x86_64") + ".so";
  }

  /// Lets a function start until it asks for its first event, and has Java write down what it has loaded by then.
  private void archive() throws IOException, InterruptedException {
    var hasStarted = new CountDownLatch(1);
    var loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    var runtime = HttpServer.create(loopback, 0);
    // It is never given one.
    runtime.createContext("/", _ -> hasStarted.countDown());
    runtime.start();
    try {
      var builder =
          new ProcessBuilder(command("-XX:ArchiveClassesAtExit=" + directory.resolve(ARCHIVE)))
              .redirectErrorStream(true)
              .redirectOutput(directory.resolve("archive.log").toFile());
      builder.environment().clear();
      builder.environment().put("GORKIE_ROLE", "ingress");
      builder.environment().put("GORKIE_WORKER_FUNCTION", "worker");
      builder.environment().put("SLACK_SIGNING_SECRET", "secret");
      // Nobody asks there. Without one, what stands before a database would not be among the
      // classes, and a worker has it.
      builder.environment().put("DATABASE_URL", "postgresql://127.0.0.1:1/none");
      builder.environment().put("AWS_REGION", "us-east-1");
      builder.environment().put("AWS_ACCESS_KEY_ID", "key");
      builder.environment().put("AWS_SECRET_ACCESS_KEY", "secret");
      builder
          .environment()
          .put("AWS_LAMBDA_RUNTIME_API", "127.0.0.1:" + runtime.getAddress().getPort());
      var process = builder.start();
      hasStarted.await(ARCHIVED_SECONDS_MAX, TimeUnit.SECONDS);
      process.destroy();
      process.waitFor();
    } finally {
      runtime.stop(0);
    }
  }

  public Code.Program program(Map<String, String> environment, Path log) {
    if (isNative) {
      var all = new HashMap<>(environment);
      // As it is deployed: Lambda gives no time to whoever handles a signal.
      all.put("DISABLE_SIGNAL_HANDLERS", "true");
      return new Code.Program(List.of(directory.resolve(PROGRAM).toString(), HEAP), all, log);
    }
    return new Code.Program(
        command("-XX:SharedArchiveFile=" + directory.resolve(ARCHIVE)), environment, log);
  }

  private List<String> command(String archive) {
    var command =
        new ArrayList<>(
            List.of(
                System.getProperty("java.home") + "/bin/java",
                archive,
                // Without a word when there is none.
                "-Xlog:disable",
                "-Xlog:all=error:stderr",
                HEAP,
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                // Quarkus resets what a thread left behind, and Java lets nobody near that without
                // a word.
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                // Else each instance writes it to one and the same place, under the feet of those
                // that have it loaded.
                "-Dcom.amazonaws.services.lambda.runtime.api.client.runtimeapi.NativeClient.JNI="
                    + directory.resolve(LIBRARY)));
    command.addAll(
        List.of(
            "-cp",
            classPath(),
            "com.amazonaws.services.lambda.runtime.api.client.AWSLambda",
            HANDLER));
    return List.copyOf(command);
  }

  private String classPath() {
    var libraries = Objects.requireNonNull(directory.resolve("lib").toFile().list());
    Arrays.sort(libraries);
    return directory.resolve(CLASSES)
        + File.pathSeparator
        + Arrays.stream(libraries)
            .map(name -> directory.resolve("lib").resolve(name).toString())
            .collect(Collectors.joining(File.pathSeparator))
        + File.pathSeparator
        + runtimeClient();
  }

  /// Lambda's managed runtime brings it along.
  private static String runtimeClient() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(jar -> jar.contains("aws-lambda-java-") || jar.contains("utils-lite"))
        .collect(Collectors.joining(File.pathSeparator));
  }
}
