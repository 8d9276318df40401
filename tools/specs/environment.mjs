// A jest environment without a separate context: spec files share the globals of the process, and each file's changes are undone after it.
import { createHash } from 'node:crypto';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';
import { patience } from '../../libs/testing/src/patience.ts';
import { takeForbiddenLines } from '../../libs/testing/src/server-log.ts';
import { measure } from './usage.mjs';

const { process, setTimeout: realTimeout } = globalThis;
const { BEGUN_SPECS: marks } = process.env;
// Not inherited by test runs that specs start.
delete process.env.BEGUN_SPECS;
const GRACE_MS = 30_000;
/** Kinds of resources that a spec file must not leave behind. Idle connections are not included: their timers close them. */
const LEAKS = new Set(['TCPServerWrap', 'Timeout', 'Immediate', 'Worker', 'MessagePort', 'ProcessWrap', 'FSEventWrap', 'UDPWRAP']);
/** Globals that packages keep for the life of the process. */
const OF_PACKAGES = new Set(['classValidatorMetadataStorage']);

export default class SharedEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;
  isLoaded = true;
  hasFailed = false;

  constructor({ projectConfig }, { testPath }) {
    this.mark = beginOnce(testPath);
    process.once('SIGTERM', this.endedByJest);
    this.measured = measure(testPath);
    this.testPath = testPath;
    this.rootDir = projectConfig.rootDir;
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    // Recorded here because jest replaces the console and `process.exit` for this spec file before it calls `setup`.
    this.before = {
      globals: Object.getOwnPropertyDescriptors(globalThis),
      environment: process.env,
      env: { ...process.env },
      cwd: process.cwd(),
      resources: resources(),
      exit: process.exit,
      exitCode: process.exitCode,
    };
  }

  /** Jest asks a worker for its memory while it already sends it the next file, and ends it if that is too much: the file may run again. */
  endedByJest = () => {
    if (this.mark) rmSync(this.mark, { force: true });
    process.kill(process.pid, 'SIGKILL');
  };

  async setup() {
    process.chdir(this.rootDir);
  }

  async teardown() {
    process.off('SIGTERM', this.endedByJest);
    const { globals, environment, env, cwd, exit, exitCode } = this.before;
    this.moduleMocker.restoreAllMocks();
    this.fakeTimersModern.dispose();
    restoreGlobals(globals);
    process.env = environment;
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
    if (process.cwd() !== cwd) process.chdir(cwd);
    process.exit = exit;
    process.exitCode = exitCode;
    // For a file that failed to load, the load error is more useful than a list of open handles.
    const left = this.isLoaded ? await leftOpen(this.before.resources) : [];
    this.measured();
    const forbidden = takeForbiddenLines();
    if (forbidden.length > 0 && !this.hasFailed) throw new Error(`A server has logged an error that is always a defect:\n${forbidden[0]}`);
    // After a failed test or hook, this error would hide the cause.
    if (left.length > 0 && !this.hasFailed)
      throw new Error(`The tests have ended, but something they opened is still there: ${left.join(', ')}`);
  }

  handleTestEvent({ name, test }) {
    if (name === 'hook_failure' || (name === 'test_done' && test.errors.length > 0)) this.hasFailed = true;
  }

  getVmContext() {
    return null;
  }

  exportConditions() {
    return ['node'];
  }
}

/** Jest retries a file in another worker if its worker has exited. A file that ends its process must not run again. */
function beginOnce(file) {
  if (marks === undefined) return null;
  const mark = join(marks, createHash('sha256').update(file).digest('hex'));
  if (existsSync(mark)) throw new Error('The process of this file ended while the file ran. The file is not run a second time.');
  writeFileSync(mark, file);
  return mark;
}

/** The number of active resources of each kind that keep the process alive. */
function resources() {
  const counts = new Map();
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

/** Waits for closing resources of a spec file to go away. Returns those that stay: servers, threads, processes or timers. */
async function leftOpen(before) {
  const added = () => [...resources()].filter(([kind, count]) => LEAKS.has(kind) && count > (before.get(kind) ?? 0)).map(([kind]) => kind);
  const deadline = performance.now() + patience(GRACE_MS);
  let left = added();
  for (; left.length > 0 && performance.now() < deadline; left = added()) await new Promise((resolve) => realTimeout(resolve, 5));
  return left;
}

function restoreGlobals(before) {
  for (const [name, now] of Object.entries(Object.getOwnPropertyDescriptors(globalThis))) {
    const was = before[name];
    if (!now.configurable || OF_PACKAGES.has(name)) continue;
    if (!was) delete globalThis[name];
    else if (was.value !== now.value || was.get !== now.get) Object.defineProperty(globalThis, name, was);
  }
  for (const [name, was] of Object.entries(before)) if (!(name in globalThis)) Object.defineProperty(globalThis, name, was);
}
