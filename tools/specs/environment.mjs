// Jest's environment without a context of its own: specs share the globals of the process. What a spec file changed is put back after it.
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

const { process } = globalThis;
/** What packages keep there, for the whole process. */
const OF_PACKAGES = new Set(['classValidatorMetadataStorage']);

export default class SharedEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    // Before jest replaces the console and `process.exit` for this spec file, which it does before `setup`.
    this.before = {
      globals: Object.getOwnPropertyDescriptors(globalThis),
      environment: process.env,
      env: { ...process.env },
      cwd: process.cwd(),
      exit: process.exit,
      exitCode: process.exitCode,
    };
  }

  async setup() {}

  async teardown() {
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
  }

  getVmContext() {
    return null;
  }

  exportConditions() {
    return ['node'];
  }
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
