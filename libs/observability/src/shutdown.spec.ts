import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { ShutdownPlan, type ShutdownStage, shutdownStages } from './shutdown.ts';

/** Replaces the process: a test emits signals, and reads the exit code. */
class FakeProcess extends EventEmitter {
  readonly codes: number[] = [];
  exit(code: number): void {
    this.codes.push(code);
    this.emit('exited');
  }
}

function plan(graceSeconds = 5) {
  const warnings: string[] = [];
  const order: string[] = [];
  const made = new ShutdownPlan({ graceSeconds, warn: (message) => void warnings.push(message) });
  const add = (stage: ShutdownStage, name: string, run: () => unknown = () => {}) =>
    made.stop(stage, name, async () => {
      order.push(name);
      await run();
    });
  return { made, add, warnings, order };
}

const never = () => new Promise<never>(() => {});

describe('a shutdown', () => {
  it('runs stage by stage, in whatever order the stops were registered', async () => {
    const { made, add, order } = plan();
    for (const stage of shutdownStages.toReversed()) add(stage, stage);
    expect(await made.run()).toEqual({ hung: [], failed: [] });
    expect(order).toEqual([...shutdownStages]);
  });

  it('closes nothing while an earlier stage is still running', async () => {
    const { made, add, order } = plan();
    let finish = () => {};
    add('drain', 'http', () => new Promise<void>((resolve) => (finish = resolve)));
    add('drain', 'other http');
    add('stores', 'store');
    const done = made.run();
    await new Promise(setImmediate);
    expect(order).toEqual(['http', 'other http']);
    finish();
    await done;
    expect(order).toEqual(['http', 'other http', 'store']);
  });

  it('continues after a failed stop, and names it', async () => {
    const { made, add, warnings, order } = plan();
    add('consumers', 'consumer', () => Promise.reject(new Error('away')));
    made.stop('consumers', 'another', () => {
      throw new Error('away too');
    });
    add('stores', 'store');
    expect(await made.run()).toEqual({ hung: [], failed: expect.arrayContaining(['consumer', 'another']) });
    expect(order).toContain('store');
    expect(warnings).toEqual(expect.arrayContaining(['consumer did not stop cleanly', 'another did not stop cleanly']));
  });

  it('that takes too long names the stops that hang, and still flushes the log', async () => {
    const { made, add, warnings, order } = plan(0.02);
    add('drain', 'quick');
    add('drain', 'slow', never);
    add('stores', 'store');
    add('telemetry', 'logs');
    expect(await made.run()).toEqual({ hung: ['slow'], failed: [] });
    expect(warnings).toEqual(['shutdown took more than 0.02 s, still waiting for: slow']);
    expect(order).toEqual(['quick', 'slow', 'logs']);
  });

  it('runs once if requested twice', async () => {
    const { made, add, order } = plan();
    add('stores', 'store');
    await Promise.all([made.run(), made.run()]);
    expect(order).toEqual(['store']);
  });
});

describe('a signal', () => {
  async function end(prepare: (add: ReturnType<typeof plan>['add']) => void, signals: readonly string[], graceSeconds = 5) {
    const { made, add } = plan(graceSeconds);
    prepare(add);
    const fake = new FakeProcess();
    made.listen(fake);
    const exited = once(fake, 'exited');
    for (const signal of signals) fake.emit(signal, signal);
    await exited;
    return fake.codes;
  }

  it('ends the process with 0 if all stops succeeded', async () =>
    expect(await end((add) => add('stores', 'store'), ['SIGTERM'])).toEqual([0]));
  it('ends the process with 1 if a stop hangs', async () =>
    expect(await end((add) => add('stores', 'store', never), ['SIGINT'], 0.01)).toEqual([1]));
  it('ends the process with 1 if a stop fails', async () => {
    expect(await end((add) => add('stores', 'store', () => Promise.reject(new Error('no'))), ['SIGINT'])).toEqual([1]);
  });
  it('ends the process at once when it is repeated', async () => {
    expect(await end((add) => add('stores', 'store', never), ['SIGINT', 'SIGINT'], 0.2)).toEqual([130]);
    expect(await end((add) => add('stores', 'store', never), ['SIGTERM', 'SIGTERM'], 0.2)).toEqual([143]);
  });
  it('is not needed to end a process after an uncaught error', async () => {
    const { made, add, warnings, order } = plan();
    add('stores', 'store');
    add('telemetry', 'logs');
    const fake = new FakeProcess();
    made.listen(fake);
    const exited = once(fake, 'exited');
    fake.emit('uncaughtException', new Error('this was not caught'));
    await exited;
    expect([fake.codes, order, warnings]).toEqual([[1], ['logs'], ['the process ends because of an uncaught error']]);
  });
});

describe('a real process', () => {
  it('finishes its current work after a signal', async () => {
    const program = `
      import { ShutdownPlan } from ${JSON.stringify(new URL('./shutdown.ts', import.meta.url).href)};
      const plan = new ShutdownPlan({ graceSeconds: 5, warn: console.error });
      const work = setInterval(() => {}, 1000);
      plan.stop('stores', 'store', () => console.log('closed'));
      plan.stop('drain', 'work', () => new Promise((done) => setImmediate(() => { clearInterval(work); console.log('finished'); done(); })));
      plan.listen();
      console.log('up');`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (text.startsWith('up')) child.kill('SIGTERM');
    });
    const [code] = (await once(child, 'close')) as [number];
    expect([code, output.split('\n').filter(Boolean)]).toEqual([0, ['up', 'finished', 'closed']]);
  });
});
