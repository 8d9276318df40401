// One data directory with the steps of scenarios: load, crashes, restarts and checks.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { patience } from '../libs/testing/dist/patience.js';
import { afterQuiet, always, violations } from './checks/index.mjs';
import { startClients } from './clients.mjs';
import { Evidence } from './evidence.mjs';
import { Ledger } from './ledger.mjs';
import { Product } from './product.mjs';
import { quiet } from './quiet.mjs';
import { random } from './random.mjs';

const clients = 8;
/** Ten times the duration of a start with much to recover on a busy machine. */
export const READY_WITHIN_MS = patience(30_000);
const backInTime = 'I10 back in service by itself';

export class Trial {
  /** The weights of the requests, unless all kinds are sent. */
  chosen = undefined;
  /** How long each start took, in milliseconds. */
  starts = [];

  /** Opens a new directory. The scenario starts the product. */
  static async open(root, seed, name, environment = {}) {
    const trial = new Trial();
    trial.chanceOf = (...names) => random(seed, name, ...names);
    trial.directory = await mkdtemp(join(tmpdir(), 'parlance-faults-'));
    trial.ledger = new Ledger(join(trial.directory, 'ledger.jsonl'));
    trial.product = await Product.open(root, trial.directory, environment);
    return trial;
  }

  /** Starts the product and returns the problems of the start. */
  async start(tracer) {
    try {
      const took = await this.product.start(tracer);
      this.starts.push(took);
      return took > READY_WITHIN_MS ? [{ name: backInTime, count: 1, problems: [`it took ${Math.round(took)} ms`] }] : [];
    } catch (error) {
      return [{ name: backInTime, count: 1, problems: [String(error.message)] }];
    }
  }

  /** Load, and kill -9 at a random moment: usually soon, while the last recovery is still running. */
  async killUnderLoad(round) {
    const chance = this.chanceOf(round);
    await (chance.chance(0.05) ? this.killWithin(round, 600, 3_000) : this.killWithin(round, 50, 600));
  }

  /** Load, and kill -9 at a random moment in this range of milliseconds. */
  async killWithin(round, low, high) {
    await this.#underLoad(round, async () => {
      await pause(this.chanceOf(round).between(low, high));
      if (!this.product.isRunning) this.ledger.oddities.push(`in round ${round} the product ended before it was killed`);
      await this.product.kill();
    });
  }

  /** Load, and a graceful stop under it. */
  async stopUnderLoad(round) {
    await this.#underLoad(round, async () => {
      await pause(this.chanceOf(round).between(50, 600));
      this.ledger.isStopping = true;
      await this.product.stop();
    });
    this.ledger.isStopping = false;
  }

  /** Load until the process ends by itself, or is killed after a time limit. Returns whether it ended by itself. */
  async dieUnderLoad(round, withinMs) {
    let isDead = false;
    await this.#underLoad(round, async () => {
      const deadline = performance.now() + withinMs;
      while (this.product.isRunning && performance.now() < deadline) await pause(5);
      isDead = !this.product.isRunning;
      await this.product.kill();
    });
    return isDead;
  }

  /** Load for this time. The product keeps running. */
  async load(round, ms) {
    await this.#underLoad(round, () => pause(ms));
  }

  /** Starts the product and kills it during the start. */
  async killWhileStarting(round) {
    const starting = this.product.start().catch(() => undefined);
    await pause(this.chanceOf(round, 'starting').between(100, 1_500));
    await this.product.kill();
    await starting;
  }

  /** The current problems. */
  look() {
    return this.#look(always);
  }

  /** Waits until no work is left, and returns the problems. Work that never ends is a problem too. */
  async settle(options) {
    return [...(await this.comeToRest(options)), ...(await this.#look(afterQuiet))];
  }

  /** Waits until no work is left. Returns the work that never ended. */
  async comeToRest(options) {
    const left = await quiet(this.product, options);
    return left.length === 0 ? [] : [{ name: 'I8 it comes to rest', count: left.length, problems: left }];
  }

  async end({ keep }) {
    await this.product.kill();
    await this.ledger.close();
    if (!keep) await rm(this.directory, { recursive: true, force: true, maxRetries: 3 });
  }

  async #underLoad(round, action) {
    // Signs in beforehand, because the token may have expired.
    await this.product.token();
    const load = startClients(this.product, this.ledger, clients, (number) => this.chanceOf(round, 'client', number), this.chosen);
    await action();
    await load.stop();
  }

  async #look(checks) {
    const evidence = new Evidence(this.product.data);
    try {
      return await violations(checks, { ledger: this.ledger, evidence, product: this.product, chance: this.chanceOf('sample') });
    } finally {
      evidence.close();
    }
  }
}
