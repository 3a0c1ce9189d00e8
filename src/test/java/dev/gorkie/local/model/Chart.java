package dev.gorkie.local.model;

import java.util.List;
import java.util.Optional;

/// A small Node program that draws bars as an SVG: those of a table, or some made up when there is none.
record Chart(Optional<String> table) {

  private static final String PROGRAM_FILE = "chart.mjs";
  private static final String DRAWING = "chart.svg";

  // Node may be on the path; where only the agent's own is there, that one does.
  private static final String RUN =
      "\"$(command -v node || echo \"$GORKIE/bin/node\")\" " + PROGRAM_FILE;

  private static final String PROGRAM =
      """
      import { readFileSync, writeFileSync } from 'node:fs'

      const [table] = TABLE
      const sample = 'month,visitors\\nJan,120\\nFeb,180\\nMar,150\\nApr,240\\nMay,310\\nJun,280'
      const lines = (table ? readFileSync(table, 'utf8') : sample).trim().split(/\\r?\\n/)
      const rows = lines.map(line => line.split(/[,;\\t]/).map(cell => cell.trim().replace(/^"|"$/g, '')))
      const isNumber = cell => cell !== '' && Number.isFinite(Number(cell))
      const column = rows.at(-1).findIndex((cell, i) => i > 0 && isNumber(cell))
      if (column < 0) throw new Error(`No column of numbers in ${table}`)
      const head = isNumber(rows[0][column]) ? [] : rows.shift()
      const bars = rows.filter(row => isNumber(row[column])).slice(0, 40)
        .map(row => ({ label: row[0], value: Number(row[column]) }))

      const width = 720, height = 400, left = 60, bottom = 340, top = 50
      const most = Math.max(0, ...bars.map(bar => bar.value)), least = Math.min(0, ...bars.map(bar => bar.value))
      const y = value => bottom - (value - least) / (most - least || 1) * (bottom - top)
      const step = (width - left - 20) / bars.length
      const text = string => string.replace(/[&<>]/g, sign => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign])
      const drawn = bars.map(({ label, value }, i) => {
        const x = left + i * step + step * 0.15, middle = left + (i + 0.5) * step
        return `<rect x="${x}" y="${Math.min(y(value), y(0))}" width="${step * 0.7}" height="${Math.abs(y(value) - y(0))}" fill="#4a7"/>
      <text x="${middle}" y="${Math.min(y(value), y(0)) - 6}" text-anchor="middle">${value}</text>
      <text x="${middle}" y="${bottom + 20}" text-anchor="middle">${text(label)}</text>`
      })
      writeFileSync('DRAWING', `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="sans-serif" font-size="12">
      <rect width="100%" height="100%" fill="#fff"/>
      <text x="${left}" y="28" font-size="16">${text(head[column] ?? 'values')}</text>
      <line x1="${left}" y1="${y(0)}" x2="${width - 20}" y2="${y(0)}" stroke="#333"/>
      ${drawn.join('\\n')}
      </svg>
      `)
      console.log(`DRAWING: ${bars.length} bars`)
      """;

  /// The tools that make the chart and show it, in their order.
  List<ToolCall> steps() {
    return List.of(
        ToolCall.write(PROGRAM_FILE, program()),
        ToolCall.bash(RUN),
        ToolCall.showFile(
            DRAWING,
            table
                .map(path -> "Chart of " + path.substring(path.lastIndexOf('/') + 1))
                .orElse("Chart")));
  }

  private String program() {
    var quoted = table.map(name -> "['" + name.replace("\\", "\\\\") + "']").orElse("[]");
    return PROGRAM.replace("DRAWING", DRAWING).replace("TABLE", quoted);
  }
}
