import { Projector } from '@parlance/read-models';
import type { Config } from '@parlance/config';
import { type Host, openHost, prepareService } from '@parlance/foundation';
import { NotDone } from './not-done.ts';
import { serviceNamed, services } from './services.ts';
import { UnknownName } from './unknown-name.ts';

/**
 * `parlance redrive SERVICE [ID…]`: delivers all dead letters of a service again, or the named ones. `--list` shows them instead. With the
 * embedded broker the product must be stopped, and handles the dead letters at its next start.
 *
 * `parlance redrive SERVICE --projection NAME [STREAM…]`: applies events that a read model has set aside, and restarts a read model that has stopped.
 */
export async function redrive(config: Config, [name, ...rest]: readonly string[]): Promise<void> {
  const { name: group } = serviceNamed(name);
  if (rest.slice(1).some((word) => word.startsWith('-')))
    throw new NotDone(
      'give the option of redrive right after the service: parlance redrive SERVICE --list, or --projection NAME [STREAM…]',
    );
  const [option, extra] = rest;
  if (option === '--list' && extra !== undefined) throw new NotDone(`redrive --list takes no ID, but ${extra} was given`);
  const host = await openHost(config, true);
  try {
    if (option === '--projection') return await redriveProjection(host, name, rest[1], rest.slice(2));
    if (option === '--list') return await list(host, group);
    const count = await host.broker.redrive(group, rest.length > 0 ? rest : undefined);
    process.stdout.write(`${count} dead letters go to ${group} again\n`);
    if (rest.length > count) process.stdout.write(`${rest.length - count} of the IDs are not dead letters of ${group}\n`);
  } finally {
    await host.shutdown.run();
  }
}

async function redriveProjection(host: Host, name: string | undefined, projection: string | undefined, streams: readonly string[]) {
  const projector = await projectorOf(host, name, projection);
  const { applied, parked } = await projector.redrive(projection!, streams.length > 0 ? streams : undefined);
  process.stdout.write(`${projection}: ${applied.length} streams applied, ${parked.length} still set aside\n`);
}

/** The running projector of a service. With the embedded store, the logs of the other services are opened too, for projections of their events. */
export async function projectorOf(host: Host, name: string | undefined, projection = ''): Promise<Projector> {
  const service = serviceNamed(name);
  const others = Object.keys(host.config.services).length > 0 ? [] : services.filter((each) => each !== service);
  for (const other of others) await prepareService(other, host);
  const projector = (await prepareService(service, host)).app.get(Projector);
  if (!projector.names.includes(projection)) throw new UnknownName('projection', projection, projector.names, service.name);
  await projector.start();
  return projector;
}

async function list({ broker }: Host, group: string): Promise<void> {
  const letters = await broker.deadLetters(group, 1_000);
  for (const { id, failedAt, event, reason } of letters)
    process.stdout.write(`${id}  ${failedAt}  ${event.type}  ${event.id}  ${reason}\n`);
  const more = (await broker.countDeadLetters(group)) - letters.length;
  if (more > 0) process.stdout.write(`… and ${more} more\n`);
}
