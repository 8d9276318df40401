import { type Flowchart, flowchartOf } from './flowchart.ts';
import { type SequenceDiagram, sequenceOf } from './sequence.ts';

/** Longer diagrams are shown as code. */
const LONGEST = 8_000;
const LONGEST_LINE = 500;

/** Parses a diagram in Mermaid's language. Null if it is not supported here: see ADR 0064. */
export function diagramOf(source: string): Flowchart | SequenceDiagram | null {
  if (source.length > LONGEST) return null;
  const lines = withoutFrontMatter(source)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('%%'));
  if (lines.some((line) => line.length > LONGEST_LINE)) return null;
  // Runs of spaces are collapsed: they look the same, and long runs slow down the line patterns.
  const plain = lines.map((line) => line.replace(/\s+/g, ' '));
  return flowchartOf(plain) ?? sequenceOf(plain);
}

const withoutFrontMatter = (source: string): string => source.trimStart().replace(/^---\n[\s\S]*?\n---\n/, '');
