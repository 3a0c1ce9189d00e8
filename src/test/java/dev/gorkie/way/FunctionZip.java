package dev.gorkie.way;

import dev.gorkie.local.aws.Code;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.zip.ZipFile;

/// The artifact both functions are deployed from, unpacked as Lambda does it and run by AWS's own runtime client.
public record FunctionZip(Path directory) {

  private static final String HANDLER =
      "io.quarkus.amazon.lambda.runtime.QuarkusStreamHandler::handleRequest";

  private static final String LIBRARY = "libaws-lambda-jni.so";

  public static FunctionZip unpacked() throws IOException {
    var directory = Files.createTempDirectory("gorkie-function");
    try (var zip = new ZipFile(Path.of("target-lambda", "function.zip").toFile())) {
      for (var entry : zip.stream().toList()) {
        var file = directory.resolve(entry.getName());
        if (entry.isDirectory()) {
          Files.createDirectories(file);
        } else {
          Files.createDirectories(file.getParent());
          try (var content = zip.getInputStream(entry)) {
            // The archive holds some names twice; whoever unpacks it keeps the last.
            Files.copy(content, file, StandardCopyOption.REPLACE_EXISTING);
          }
        }
      }
    }
    try (var library = FunctionZip.class.getResourceAsStream("/jni/" + library())) {
      Files.copy(Objects.requireNonNull(library), directory.resolve(LIBRARY));
    }
    return new FunctionZip(directory);
  }

  private static String library() {
    var arm = System.getProperty("os.arch").equals("aarch64");
    return "libaws-lambda-jni.linux-" + (arm ? "aarch_64" : "x86_64") + ".so";
  }

  public Code.Program program(Map<String, String> environment, Path log) {
    return new Code.Program(
        List.of(
            System.getProperty("java.home") + "/bin/java",
            "-Xmx256m",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            // Quarkus resets what a thread left behind, and Java lets nobody near that without a
            // word.
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            // Else each instance writes it to one and the same place, under the feet of those that
            // have it loaded.
            "-Dcom.amazonaws.services.lambda.runtime.api.client.runtimeapi.NativeClient.JNI="
                + directory.resolve(LIBRARY),
            "-cp",
            String.join(
                File.pathSeparator, directory.toString(), directory + "/lib/*", runtimeClient()),
            "com.amazonaws.services.lambda.runtime.api.client.AWSLambda",
            HANDLER),
        environment,
        log);
  }

  /// Lambda's managed runtime brings it along.
  private static String runtimeClient() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(jar -> jar.contains("aws-lambda-java-") || jar.contains("utils-lite"))
        .collect(Collectors.joining(File.pathSeparator));
  }
}
