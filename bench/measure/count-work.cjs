// For `node --require`: counts what a process does. After SIGUSR2, it writes the counts since the last one to WORK_COUNTS as JSON.
const fs = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');
const { DatabaseSync, StatementSync } = require('node:sqlite');
const { promiseHooks } = require('node:v8');
const { isMainThread } = require('node:worker_threads');

const { parse, stringify } = JSON;
const CRYPTO = { createCipheriv: 'seals', createDecipheriv: 'opens' };
let counts = zero();

function zero() {
  return { statements: 0, rows: 0, syncs: 0, jsonBytes: 0, seals: 0, opens: 0, promises: 0 };
}

function wrap(owner, name, before, after = () => undefined) {
  const original = owner[name];
  owner[name] = function counted(...args) {
    before.call(this, ...args);
    const result = original.apply(this, args);
    after.call(this, result, ...args);
    return result;
  };
}

function bytesWritten() {
  try {
    return Number(/write_bytes: (\d+)/.exec(fs.readFileSync('/proc/self/io', 'latin1'))[1]);
  } catch {
    // Only Linux counts them.
    return null;
  }
}

// Threads have the same environment, and would write to the same file.
if (isMainThread && process.env.WORK_COUNTS) {
  const isWrite = new WeakSet();
  wrap(
    DatabaseSync.prototype,
    'prepare',
    () => undefined,
    (statement, sql) => {
      if (/^\s*(INSERT|UPDATE|DELETE|REPLACE|WITH)/i.test(sql)) isWrite.add(statement);
    },
  );
  for (const name of ['get', 'all', 'iterate']) wrap(StatementSync.prototype, name, () => void counts.statements++);
  wrap(
    StatementSync.prototype,
    'run',
    () => void counts.statements++,
    function ({ changes }) {
      if (isWrite.has(this)) counts.rows += Number(changes);
    },
  );
  for (const name of ['fdatasync', 'fsync']) wrap(fs, name, () => void counts.syncs++);
  for (const [name, count] of Object.entries(CRYPTO)) wrap(require('node:crypto'), name, () => void counts[count]++);
  promiseHooks.onInit(() => void counts.promises++);
  JSON.parse = (text, reviver) => {
    counts.jsonBytes += String(text).length;
    return parse(text, reviver);
  };
  JSON.stringify = (...args) => {
    const text = stringify(...args);
    counts.jsonBytes += text?.length ?? 0;
    return text;
  };
  syncBuiltinESMExports();

  let written = bytesWritten();
  process.on('SIGUSR2', () => {
    const now = bytesWritten();
    const done = { ...counts, bytesWritten: now === null ? null : now - written };
    [counts, written] = [zero(), now];
    fs.writeFileSync(`${process.env.WORK_COUNTS}.part`, stringify(done));
    fs.renameSync(`${process.env.WORK_COUNTS}.part`, process.env.WORK_COUNTS);
  });
}
