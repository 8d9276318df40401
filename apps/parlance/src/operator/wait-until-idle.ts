import { setTimeout as delay } from 'node:timers/promises';
import { EventStore } from '@parlance/event-store';
import { type Broker, Outbox } from '@parlance/messaging';
import { Projector } from '@parlance/read-models';
import type { Started } from '@parlance/foundation';

const LOOK_MS = 20;
/** The wait ends after this time without progress. */
const PATIENCE_MS = 30_000;

export interface Prepared extends Started {
  readonly name: string;
}

/**
 * Starts only the outboxes and read models of all services of this process. Waits until all public events are sent and all rows include them.
 * Returns what remains after half a minute without progress.
 */
export async function waitUntilIdle(services: readonly Prepared[], broker: Broker): Promise<readonly string[]> {
  for (const { app } of services) {
    await app.get(Projector).start();
    app.get(Outbox).start();
  }
  let since = Date.now();
  for (let previous = ''; ;) {
    const remaining = (await Promise.all(services.map((service) => leftOf(service, broker)))).flat();
    if (remaining.length === 0 || Date.now() - since > PATIENCE_MS) return remaining;
    if (remaining.join() !== previous) [previous, since] = [remaining.join(), Date.now()];
    await delay(LOOK_MS);
  }
}

async function leftOf({ name, app }: Prepared, broker: Broker): Promise<string[]> {
  const remaining: string[] = [];
  const unsent = (await app.get(EventStore).head()) - (await app.get(Outbox).position());
  if (unsent > 0) remaining.push(`${name}: ${unsent} commits were not sent`);
  for (const { projection, behind, group, ready, progress, stopped } of await app.get(Projector).lag()) {
    if (stopped !== null) continue;
    const waiting = group === null ? 0 : (await broker.lag(group)).reduce((sum, lag) => sum + lag.behind, 0);
    if (!ready) remaining.push(`${name}: ${projection} is built up to ${Math.floor(progress * 100)} %`);
    else if (behind + waiting > 0) remaining.push(`${name}: ${projection} is ${behind + waiting} events behind`);
  }
  return remaining;
}
