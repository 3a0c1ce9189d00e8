package dev.gorkie.way;

import java.awt.image.BufferedImage;
import java.awt.image.IndexColorModel;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;

/// A screenshot as it is kept in the repository, where its bytes stay for ever: in as few colours as nobody misses.
final class Picture {

  private static final int COLOURS_MAX = 256;
  private static final int RGB = 0xff_ff_ff;

  /// Colours that are drawn as one; the pixels of each are counted.
  private record Box(List<Map.Entry<Integer, Integer>> colours) {

    long pixels() {
      return colours.stream().mapToLong(Map.Entry::getValue).sum();
    }

    /// By which of red, green and blue, as bits to shift, its colours differ most.
    int widest() {
      return List.of(16, 8, 0).stream().max(Comparator.comparingInt(this::width)).orElseThrow();
    }

    int width(int shift) {
      var all = colours.stream().mapToInt(one -> part(one.getKey(), shift)).summaryStatistics();
      return all.getMax() - all.getMin();
    }

    /// How much would be gained by drawing it in two colours.
    double spread() {
      return colours.size() < 2 ? 0 : width(widest()) * Math.sqrt(pixels());
    }

    List<Box> halves() {
      var shift = widest();
      var sorted =
          colours.stream()
              .sorted(Comparator.comparingInt(one -> part(one.getKey(), shift)))
              .toList();
      var half = sorted.size() / 2;
      return List.of(
          new Box(sorted.subList(0, half)), new Box(sorted.subList(half, sorted.size())));
    }

    /// The colour that most of its pixels have: what is one flat colour stays exactly that.
    int colour() {
      return colours.stream().max(Map.Entry.comparingByValue()).orElseThrow().getKey();
    }

    private static int part(int colour, int shift) {
      return colour >> shift & 0xff;
    }
  }

  private Picture() {}

  static void write(byte[] png, Path to) throws IOException {
    var shot = ImageIO.read(new ByteArrayInputStream(png));
    var boxes = boxes(shot);
    var colours = boxes.stream().mapToInt(Box::colour).toArray();
    var places = new HashMap<Integer, Integer>();
    for (var at = 0; at < boxes.size(); at++) {
      for (var colour : boxes.get(at).colours()) {
        places.put(colour.getKey(), at);
      }
    }
    var model = new IndexColorModel(8, colours.length, colours, 0, false, -1, 0);
    var drawn =
        new BufferedImage(
            shot.getWidth(), shot.getHeight(), BufferedImage.TYPE_BYTE_INDEXED, model);
    var raster = drawn.getRaster();
    for (var y = 0; y < shot.getHeight(); y++) {
      for (var x = 0; x < shot.getWidth(); x++) {
        raster.setSample(x, y, 0, places.getOrDefault(shot.getRGB(x, y) & RGB, 0));
      }
    }
    save(drawn, to);
  }

  private static List<Box> boxes(BufferedImage shot) {
    var counted = new HashMap<Integer, Integer>();
    var pixels = shot.getRGB(0, 0, shot.getWidth(), shot.getHeight(), null, 0, shot.getWidth());
    Arrays.stream(pixels).forEach(pixel -> counted.merge(pixel & RGB, 1, Integer::sum));
    var boxes = new ArrayList<>(List.of(new Box(List.copyOf(counted.entrySet()))));
    while (boxes.size() < Math.min(COLOURS_MAX, counted.size())) {
      var most = boxes.stream().max(Comparator.comparingDouble(Box::spread)).orElseThrow();
      boxes.remove(most);
      boxes.addAll(most.halves());
    }
    return boxes;
  }

  private static void save(BufferedImage picture, Path to) throws IOException {
    Files.createDirectories(to.toAbsolutePath().getParent());
    Files.deleteIfExists(to);
    var writer = ImageIO.getImageWritersByFormatName("png").next();
    var how = writer.getDefaultWriteParam();
    how.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
    how.setCompressionQuality(0); // the smallest there is; nothing is lost
    try (var out = ImageIO.createImageOutputStream(to.toFile())) {
      writer.setOutput(out);
      writer.write(null, new IIOImage(picture, null, null), how);
    } finally {
      writer.dispose();
    }
  }
}
