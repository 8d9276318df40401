// Jest's runtime without a module system of its own. Node loads specs and sources itself (modules.mjs), once per process instead of once per
// spec file: loading took most of the time of a run. The rest is jest's: runner, order of hooks, time limits, matchers, mocks of functions.
// Mocks of modules and fresh modules for each spec file are not supported. A spec must restore module state that it changes.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { patience, TEST_MS } from '../../libs/testing/src/patience.ts';
import { setGlobals } from './globals.mjs';
import { sourceMaps } from './modules.mjs';

const require = createRequire(import.meta.url);
const EVENT_HANDLERS = Symbol.for('EVENT_HANDLERS');
const TEST_TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL');
const { setTimeout, clearTimeout } = globalThis;
/** Some spec files start servers while they load. */
const LONGEST_LOAD = patience(TEST_MS);
let loads = 0;

export default class SharedRuntime {
  constructor(config, environment) {
    this.environment = environment;
    // Drop the test cases and handlers of the previous spec file.
    delete globalThis[EVENT_HANDLERS];
    delete globalThis[TEST_TIMEOUT];
  }

  /** Jest requests only the module with the test cases of a spec file this way: it is loaded again for each. */
  requireInternalModule(file) {
    delete require.cache[file];
    return require(file);
  }

  requireModule(file) {
    return require(file);
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  async unstable_importModule(file) {
    let timer;
    const late = new Promise((_, reject) => {
      const message = `the file did not load in ${LONGEST_LOAD / 1_000} s`;
      timer = setTimeout(() => reject(new Error(message)), LONGEST_LOAD);
    });
    try {
      return await Promise.race([import(`${pathToFileURL(file)}?load=${loads++}`), late]);
    } catch (error) {
      this.environment.isLoaded = false;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  setGlobalsForRuntime(globals) {
    setGlobals({ ...globals, jest: this.jest() });
  }

  jest() {
    const { moduleMocker: mocks, fakeTimersModern: timers } = this.environment;
    const self = {
      fn: mocks.fn.bind(mocks),
      spyOn: mocks.spyOn.bind(mocks),
      replaceProperty: mocks.replaceProperty.bind(mocks),
      mocked: (value) => value,
      isMockFunction: mocks.isMockFunction.bind(mocks),
      setTimeout: (millis) => void (globalThis[TEST_TIMEOUT] = millis),
      // Node itself needs the other timers.
      useFakeTimers: (options) =>
        timers.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'clearImmediate'], ...options }),
      useRealTimers: () => timers.useRealTimers(),
      setSystemTime: (now) => timers.setSystemTime(now),
      now: () => timers.now(),
      getTimerCount: () => timers.getTimerCount(),
      clearAllTimers: () => timers.clearAllTimers(),
      runAllTimers: () => timers.runAllTimers(),
      runOnlyPendingTimers: () => timers.runOnlyPendingTimers(),
      advanceTimersByTime: (millis) => timers.advanceTimersByTime(millis),
      advanceTimersByTimeAsync: (millis) => timers.advanceTimersByTimeAsync(millis),
    };
    const chained = {};
    for (const name of ['restoreAllMocks', 'resetAllMocks', 'clearAllMocks'])
      chained[name] = () => (mocks[name](), Object.assign(self, chained));
    return Object.assign(self, chained);
  }

  restoreAllMocks() {
    this.environment.moduleMocker.restoreAllMocks();
  }

  resetAllMocks() {
    this.environment.moduleMocker.resetAllMocks();
  }

  clearAllMocks() {
    this.environment.moduleMocker.clearAllMocks();
  }

  getSourceMaps() {
    return sourceMaps;
  }

  enterTestCode() {}
  leaveTestCode() {}
  resetModules() {}
  teardown() {}

  getAllCoverageInfoCopy() {
    return undefined;
  }
}
