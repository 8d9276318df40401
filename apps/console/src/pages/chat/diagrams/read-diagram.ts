import { type Flowchart, flowchartOf } from './flowchart.ts';
import { type SequenceDiagram, sequenceOf } from './sequence.ts';

/** Longer ones stay code. */
const LONGEST = 8_000;
const LONGEST_LINE = 500;

/** Reads a diagram in the language of Mermaid. Null if it is none that is drawn here: see ADR 0064. */
export function diagramOf(source: string): Flowchart | SequenceDiagram | null {
  if (source.length > LONGEST) return null;
  const lines = withoutFrontMatter(source)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('%%'));
  if (lines.some((line) => line.length > LONGEST_LINE)) return null;
  // A run of spaces is shown as one. The patterns of lines take much longer for long runs.
  const plain = lines.map((line) => line.replace(/\s+/g, ' '));
  return flowchartOf(plain) ?? sequenceOf(plain);
}

const withoutFrontMatter = (source: string): string => source.trimStart().replace(/^---\n[\s\S]*?\n---\n/, '');
