import type { Started } from '@parlance/foundation';
import { Projector, ProjectionStopped, ReadModelBuilding, RebuildInterrupted, RebuildRunning } from '@parlance/read-models';
import { NotDone } from '../not-done.ts';
import { projectionLabel } from '../projection-label.ts';
import { serviceNamed } from '../services.ts';
import { UnknownName } from '../unknown-name.ts';

/** The read models to rebuild: all, all of one service, or one. */
export interface RebuildOrder {
  readonly service?: string | undefined;
  readonly projection?: string | undefined;
}

/** The progress of the rebuild of one read model. */
export interface Rebuilt {
  readonly service: string;
  readonly projection: string;
  /** The number of commits read, of `head` commits in the log or in the logs of the sources. */
  readonly position: number;
  readonly head: number;
  readonly events: number;
  /** The line to print. Set when the new rows are served. */
  readonly line?: string;
}

interface Named extends Pick<Started, 'app'> {
  readonly name: string;
}

const LOOK_MS = 200;

/** Throws `UnknownName` for an unknown service. */
export function requireKnown({ service }: RebuildOrder): void {
  if (service !== undefined) serviceNamed(service);
}

/** Rebuilds one read model after the other. Rejects with `UnknownName`, or with `NotDone` if a read model cannot be rebuilt. */
export async function rebuildReadModels(
  started: readonly Named[],
  order: RebuildOrder,
  onProgress: (each: Rebuilt) => void,
): Promise<void> {
  requireKnown(order);
  for (const { name: service, app } of started.filter(({ name }) => order.service === undefined || name === order.service)) {
    const projector = app.get(Projector);
    if (order.projection !== undefined && !projector.names.includes(order.projection))
      throw new UnknownName('projection', order.projection, projector.names, service);
    for (const projection of order.projection === undefined ? projector.names : [order.projection])
      await rebuildOne(service, projector, projection, onProgress);
  }
}

async function rebuildOne(service: string, projector: Projector, projection: string, onProgress: (each: Rebuilt) => void): Promise<void> {
  const begin = performance.now();
  let isLooking = false;
  const look = async () => {
    if (isLooking) return;
    isLooking = true;
    const progress = await projector.rebuilding(projection).catch(() => null);
    isLooking = false;
    if (progress) onProgress({ service, projection, ...progress });
  };
  const timer = setInterval(() => void look(), LOOK_MS);
  try {
    const { position, head, events } = await projector.rebuild(projection);
    const seconds = (performance.now() - begin) / 1_000;
    const line = `${projectionLabel(service, projection)}${events} events read in ${seconds.toFixed(1)} s, the new rows are served`;
    onProgress({ service, projection, position, head, events, line });
  } catch (error) {
    throw problemOf(service, projection, error);
  } finally {
    clearInterval(timer);
  }
}

function problemOf(service: string, projection: string, error: unknown): unknown {
  if (error instanceof RebuildRunning) return new NotDone(`${service}: ${error.message}: wait until it is done`);
  if (error instanceof ReadModelBuilding) return new NotDone(`${service}: ${error.message}: wait until it is built`);
  if (error instanceof RebuildInterrupted) return new NotDone(`${service}: ${error.message}`);
  if (error instanceof ProjectionStopped)
    return new NotDone(`${service}: ${projection} cannot be rebuilt, and its rows are served as before: ${error.reason}`);
  return error;
}
