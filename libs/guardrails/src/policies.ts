import { type Detector, type Kind } from './detector.ts';
import { detectorOf, type DetectorName } from './detectors/all.ts';
import { placeholder } from './detectors/placeholder.ts';

/** `conversations`: of users in the console. `published`: published bots. `gateway`: calls of programs to models. */
export const SURFACES = ['conversations', 'published', 'gateway'] as const;
export type Surface = (typeof SURFACES)[number];

export const STAGES = ['input', 'output'] as const;
export type Stage = (typeof STAGES)[number];

/** The weakest first. */
export const ACTIONS = ['flag', 'mask', 'block'] as const;
export type Action = (typeof ACTIONS)[number];

/** What is done with the values that detectors find in inputs or in answers. */
export interface Policy {
  readonly id: string;
  readonly apply_to: readonly Surface[];
  readonly stage: Stage;
  readonly action: Action;
  readonly detectors: readonly DetectorName[];
  /** The entries of the detector `words`. */
  readonly words?: readonly string[];
  /** Regions whose national phone numbers are found. Without one, phone numbers need a country code. */
  readonly phone_regions?: readonly string[];
}

/** What a policy has found. Has no content. Policies that have found nothing have no verdict. */
export interface PolicyVerdict {
  readonly id: string;
  readonly stage: Stage;
  readonly action: Action;
  /** Number of values by kind. */
  readonly found: Readonly<Partial<Record<Kind, number>>>;
}

/** A detector, and the policies that it serves. Empty for the detector of placeholders, whose values are always masked. */
interface Check {
  readonly detector: Detector;
  readonly policies: readonly Pick<Policy, 'id' | 'action'>[];
  readonly action: Action;
}

/** The policies of one stage of one surface. */
export class StageChecks {
  readonly checks: readonly Check[];
  readonly actions: ReadonlyMap<string, Action>;

  constructor(
    readonly stage: Stage,
    private readonly policies: readonly Policy[],
  ) {
    this.actions = new Map(policies.map(({ id, action }) => [id, action]));
    const byDetector = new Map<string, { detector: Detector; policies: Policy[] }>();
    for (const policy of policies)
      for (const name of new Set(policy.detectors)) {
        const options = { phoneRegions: policy.phone_regions ?? [], words: policy.words ?? [] };
        const key = `${name} ${name === 'phone' ? options.phoneRegions.join() : name === 'words' ? JSON.stringify(options.words) : ''}`;
        const known = byDetector.get(key) ?? { detector: detectorOf(name, options), policies: [] };
        known.policies.push(policy);
        byDetector.set(key, known);
      }
    const checks = [...byDetector.values()].map((each) => ({ ...each, action: strictest(each.policies) }));
    // Only masks of inputs are undone, so only there can a forged placeholder do harm.
    const undone = stage === 'input' && policies.some(({ action }) => action === 'mask');
    this.checks = undone ? [...checks, { detector: placeholder, policies: [], action: 'mask' }] : checks;
  }

  get isEmpty(): boolean {
    return this.checks.length === 0;
  }

  get canBlock(): boolean {
    return this.checks.some(({ action }) => action === 'block');
  }

  /** Whether a policy does more than count. */
  get changesTexts(): boolean {
    return this.checks.some(({ action }) => action !== 'flag');
  }

  /** The same policies, which mask what they would block. */
  softened(): StageChecks {
    return new StageChecks(
      this.stage,
      this.policies.map((policy) => (policy.action === 'block' ? { ...policy, action: 'mask' } : policy)),
    );
  }

  /** Code units that a stream holds back at most. */
  get window(): number {
    return Math.max(0, ...this.checks.map(({ detector }) => detector.reach));
  }
}

const strictest = (policies: readonly Policy[]): Action =>
  policies.reduce<Action>((most, { action }) => (ACTIONS.indexOf(action) > ACTIONS.indexOf(most) ? action : most), 'flag');

/** The policies of an installation by surface and stage. Their detectors are built once. */
export class Guardrails {
  private readonly bySurface: ReadonlyMap<Surface, Readonly<Record<Stage, StageChecks>>>;

  constructor(policies: readonly Policy[]) {
    const checks = (surface: Surface, stage: Stage) =>
      new StageChecks(
        stage,
        policies.filter((policy) => policy.stage === stage && policy.apply_to.includes(surface)),
      );
    this.bySurface = new Map(SURFACES.map((each) => [each, { input: checks(each, 'input'), output: checks(each, 'output') }]));
  }

  of(surface: Surface, stage: Stage): StageChecks {
    return this.bySurface.get(surface)![stage];
  }
}
