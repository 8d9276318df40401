// Reads the profiles of `node --cpu-prof`: processor time by function, by package, and by calling package.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const NOT_AT_WORK = new Set(['(idle)', '(root)']);

/**
 * Self times in milliseconds between two moments (microseconds of the monotonic clock, which all processes share). `onCpu` is the
 * thread's processor time in between. Other processes may have run between two samples, so the time between samples is not used: all
 * samples have the same weight, and their sum is `onCpu`.
 */
export function selfTimes(file, from, to, onCpu) {
  const { nodes, samples, timeDeltas, startTime } = JSON.parse(readFileSync(file, 'utf8'));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  for (const node of nodes) for (const child of node.children ?? []) byId.get(child).parent = node;
  let now = startTime;
  const atWork = samples.flatMap((id, index) => {
    now += timeDeltas[index];
    const node = byId.get(id);
    return now < from || now > to || NOT_AT_WORK.has(node.callFrame.functionName) ? [] : [node];
  });
  const times = { functions: new Map(), packages: new Map(), callers: new Map() };
  const millis = onCpu / atWork.length;
  for (const node of atWork) {
    add(times.functions, nameOf(node), millis);
    add(times.packages, nearest(node, packageOf) ?? nameOf(node), millis);
    add(times.callers, nearest(node, ourFileOf) ?? nearest(node, packageOf) ?? nameOf(node), millis);
  }
  return times;
}

/** The largest entries of a table of times, with their shares. */
export function largest(times, total, count) {
  return [...times]
    .sort(([, a], [, b]) => b - a)
    .slice(0, count)
    .map(([name, millis]) => `${((100 * millis) / total).toFixed(1).padStart(6)} %  ${millis.toFixed(0).padStart(6)} ms  ${name}`);
}

function add(times, name, millis) {
  times.set(name, (times.get(name) ?? 0) + millis);
}

function nearest(node, name) {
  for (let each = node; each; each = each.parent) {
    const found = name(each.callFrame.url);
    if (found !== null) return found;
  }
  return null;
}

function nameOf({ callFrame: { functionName, url, lineNumber } }) {
  const location = url === '' ? '' : ` ${shortened(url)}:${lineNumber + 1}`;
  return `${functionName || '(anonymous)'}${location}`;
}

function packageOf(url) {
  return /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1] ?? /\/((?:apps|libs)\/[^/]+)\/dist\//.exec(url)?.[1] ?? null;
}

function ourFileOf(url) {
  return url.includes('/node_modules/') ? null : (/\/((?:apps|libs)\/[^/]+\/dist\/.+)$/.exec(url)?.[1] ?? null);
}

function shortened(url) {
  return url.replace(`file://${root}`, '').replace('node_modules/', '');
}
