import { globSync, readFileSync } from 'node:fs';
import { path } from './workspace.mjs';

const documents = ['*.md', 'docs/**/*.md', '{apps,libs}/*/README.md', '{bench,deploy,examples,faults}/**/*.md'];

/** One message for each line of a document that repeats an earlier one: a merge of two changes to a line may leave both versions. */
export function repeatedLines() {
  const exclude = (name) => name === 'node_modules' || name === 'dist';
  return globSync(documents, { cwd: path('.'), exclude }).flatMap((file) => repeatsIn(file, readFileSync(path(file), 'utf8')));
}

function repeatsIn(file, text) {
  const lines = text.replaceAll(/^```[^]*?^```/gm, (code) => code.replaceAll(/.+/g, '')).split('\n');
  return lines.flatMap((line, at) => {
    const earlier = lines
      .slice(isRow(line) ? startOfTable(lines, at) : Math.max(0, at - 2), at)
      .findIndex((other) => startsAs(line, other));
    return earlier === -1 ? [] : [`${file}:${at + 1} repeats a line above it: ${line.slice(0, 60)}…`];
  });
}

function startsAs(line, other) {
  if (isRow(line) !== isRow(other)) return false;
  const [start, otherStart] = [startOf(line), startOf(other)];
  return start !== null && start === otherStart;
}

/** A table row's first cell and 30 characters of the others; any other line's first 40 characters; null if it is shorter. */
function startOf(line) {
  if (!isRow(line)) return line.length < 40 ? null : line.slice(0, 40);
  const [, first, ...others] = line.split('|').map((cell) => cell.trim());
  return first ? `${first} | ${others.join(' | ').slice(0, 30)}` : null;
}

function startOfTable(lines, at) {
  return lines.slice(0, at).findLastIndex((line) => !isRow(line)) + 1;
}

function isRow(line) {
  return line.startsWith('|');
}
