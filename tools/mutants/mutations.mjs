// The mutations of a source file: for each, the range of bytes that it replaces and the replacement.
import { createHash } from 'node:crypto';
import { parseSync } from '@swc/core';

const FLIPPED = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '&&': '||',
  '||': '&&',
  '??': '&&',
  '+': '-',
  '-': '+',
};

/** All mutations of a source text, in the order of the file. */
export function mutationsOf(source) {
  // Spans count from the first text parsed in this process, so an empty statement in front shows where this text begins.
  const { body } = parseSync(`;${source}`, { syntax: 'typescript', decorators: true, target: 'es2024' });
  const base = body[0].span.start + 1;
  const bytes = Buffer.from(source);
  const found = [];
  const text = (span) => bytes.subarray(span.start - base, span.end - base).toString();
  const replace = (span, by, kind) => found.push({ start: span.start - base, end: span.end - base, by, kind, was: text(span) });

  visit(body.slice(1), (node, parent) => {
    switch (node.type) {
      case 'BinaryExpression': {
        const by = FLIPPED[node.operator];
        // `+` may join texts, where `-` is nonsense that any test notices.
        const isText = node.operator === '+' && /['"`]/.test(text(node.span));
        const between = { start: node.left.span.end, end: node.right.span.start };
        if (by && !isText) replace(between, text(between).replace(node.operator, by), `${node.operator} to ${by}`);
        return;
      }
      case 'IfStatement':
        replace(node.test.span, 'false', 'condition is false');
        replace(node.test.span, 'true', 'condition is true');
        return;
      case 'ConditionalExpression':
        replace(node.test.span, `!(${text(node.test.span)})`, 'condition is negated');
        return;
      case 'AwaitExpression':
        replace(node.span, text(node.argument.span), 'await is dropped');
        return;
      case 'ExpressionStatement':
        if (['CallExpression', 'AwaitExpression', 'AssignmentExpression'].includes(node.expression.type))
          replace(node.span, ';', 'statement is dropped');
        return;
      case 'ReturnStatement':
        if (node.argument && node.argument.type !== 'NullLiteral') replace(node.argument.span, '(undefined as never)', 'returns undefined');
        return;
      case 'UnaryExpression':
        if (node.operator === '!') replace(node.span, `(${text(node.argument.span)})`, 'negation is dropped');
        return;
      case 'BooleanLiteral':
        replace(node.span, String(!node.value), 'boolean is flipped');
        return;
      case 'NumericLiteral':
        // A higher version of a projection only rebuilds the same rows.
        if (parent?.type === 'KeyValueProperty' && parent.key.value === 'version') return;
        // Timers may fire a millisecond late, so a time limit may be a millisecond longer.
        if (node.value >= 10 && MILLISECONDS.test(nameOf(parent))) return;
        if (parent?.type !== 'TsLiteralType') replace(node.span, String(node.value + 1), 'number is one more');
        return;
      case 'SpreadElement':
        if (parent?.type === 'ArrayExpression') replace(node.span, '', 'spread is dropped');
    }
  });
  return found.sort((a, b) => a.start - b.start || a.kind.localeCompare(b.kind));
}

export function lineOf(source, { start }) {
  return Buffer.from(source).subarray(0, start).toString().split('\n').length;
}

/** Chooses mutations by a hash with the seed, so the same seed makes the same choice. */
export function sample(mutants, count, seed, isWanted) {
  const rank = ({ file, start, kind }) => createHash('sha256').update(`${seed} ${file} ${start} ${kind}`).digest('hex');
  return mutants
    .map((mutant) => [rank(mutant), mutant])
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .values()
    .map(([, mutant]) => mutant)
    .filter(isWanted)
    .take(count)
    .toArray();
}

/** Every spec fails with a text that does not parse, such as `a && b ?? c`, so it is not used as a mutant. */
export function parses(source) {
  try {
    parseSync(source, { syntax: 'typescript', decorators: true, target: 'es2024' });
    return true;
  } catch {
    return false;
  }
}

const MILLISECONDS = /(MS|MILLIS|TIMEOUT|INTERVAL|Ms|Millis|Timeout|timeout|Interval|within|After)$/;

/** The name of the constant, property or parameter whose whole value is a literal. */
const nameOf = (parent) => [parent?.id, parent?.key, parent?.left].find((name) => typeof name?.value === 'string')?.value ?? '';

/** Types have no behaviour, and decorators describe routes for the document. */
const WITHOUT_BEHAVIOUR = /^(Ts(Type|Interface|Literal|Union|Keyword|Array|Function|Conditional|Mapped)|ImportDeclaration|Decorator)/;

function visit(node, see, parent) {
  if (Array.isArray(node))
    for (const each of node) visit(each?.expression !== undefined && each.spread !== undefined ? withSpread(each) : each, see, parent);
  else if (node && typeof node === 'object') {
    if (typeof node.type === 'string') {
      if (WITHOUT_BEHAVIOUR.test(node.type)) return;
      see(node, parent);
    }
    for (const [name, child] of Object.entries(node))
      if (name !== 'span' && child && typeof child === 'object') visit(child, see, typeof node.type === 'string' ? node : parent);
  }
}

/** Elements and arguments come as `{ spread, expression }`. */
const withSpread = ({ spread, expression }) =>
  spread ? { type: 'SpreadElement', span: { start: spread.start, end: expression.span.end }, expression } : expression;
