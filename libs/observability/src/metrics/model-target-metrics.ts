import type { Registry } from 'prom-client';
import { gaugeOfSources } from './gauge-of-sources.ts';

/** A model that programs call through this process. */
export interface ModelTargetState {
  readonly model: string;
  /** False during a pause after failures, and while a limit at the provider is used up. */
  readonly isUsable: boolean;
  readonly calls: number;
  /** The average of streams. Null before the first one. */
  readonly firstByteSeconds: number | null;
}

/** The models that programs call. Their names come from the catalogue, so the number of series is bounded. */
export interface ModelTargetMetrics {
  modelTargets(all: () => readonly ModelTargetState[]): void;
  /** A call has ended: `answered`, `left`, or with the code of a failure. */
  modelTargetCall(model: string, outcome: string): void;
}

export const silentModelTargetMetrics: ModelTargetMetrics = { modelTargets() {}, modelTargetCall() {} };

export function modelTargetMetricsOf(prom: typeof import('prom-client'), registry: Registry): (service: string) => ModelTargetMetrics {
  const gauge = (name: string, help: string) => gaugeOfSources(prom, registry, `parlance_${name}`, help, ['service', 'model']);
  const usable = gauge('model_target_usable', '1 for a model that programs can call, 0 in a pause after failures or at a limit');
  const inFlight = gauge('model_target_calls_running', 'Calls of programs to a model that have not ended');
  const firstBytes = gauge('model_target_first_byte_seconds', 'Average time to the first byte of a stream; fades while there are no calls');
  const ended = new prom.Counter({
    name: 'parlance_model_target_calls_total',
    help: 'Calls of programs to a model that have ended, each attempt of a route once',
    labelNames: ['service', 'model', 'outcome'],
    registers: [registry],
  });
  return (service) => ({
    modelTargets(all) {
      const each = (value: (state: ModelTargetState) => number | null) => async () =>
        all().flatMap((state) => {
          const its = value(state);
          return its === null ? [] : [[{ service, model: state.model }, its] as const];
        });
      usable(each(({ isUsable }) => (isUsable ? 1 : 0)));
      inFlight(each(({ calls }) => calls));
      firstBytes(each(({ firstByteSeconds }) => firstByteSeconds));
    },
    modelTargetCall: (model, outcome) => ended.inc({ service, model, outcome }),
  });
}
