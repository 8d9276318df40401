import { Projector } from '@parlance/read-models';
import { type Config, openHost, prepareService } from '@parlance/service-kit';
import { serviceNamed, Unknown } from './services.ts';

/**
 * `parlance redrive SERVICE`: gives a service its dead letters once more. `--list` shows them instead. With the embedded broker
 * the product has to be stopped meanwhile; it handles them at its next start.
 */
export async function redrive(config: Config, [name, option]: readonly string[]): Promise<void> {
  const { name: group } = serviceNamed(name);
  const host = await openHost(config, true);
  try {
    if (option === '--list') {
      for (const letter of await host.broker.deadLetters(group, 1_000)) {
        process.stdout.write(`${letter.failedAt}  ${letter.event.type}  ${letter.event.id}  ${letter.reason}\n`);
      }
      return;
    }
    const count = await host.broker.redrive(group);
    process.stdout.write(`${count} dead letters go to ${group} again\n`);
  } finally {
    await host.shutdown.run();
  }
}

/** `parlance replay SERVICE PROJECTION`: builds a read model anew from the events, beside the one in use, compares the two and switches. */
export async function replay(config: Config, [name, projection = '']: readonly string[]): Promise<void> {
  const service = serviceNamed(name);
  const host = await openHost(config, true);
  try {
    const projector = (await prepareService(service, host)).app.get(Projector);
    if (!projector.names.includes(projection)) throw new Unknown(`projection of ${service.name}`, projection, projector.names);
    await projector.start();
    const { rows, differing } = await projector.rebuild(projection);
    const verdict =
      differing.length === 0 ? 'as they were before' : `different: ${differing.join(', ')}${differing.length === 20 ? ' …' : ''}`;
    process.stdout.write(`${projection}: ${rows} rows, ${verdict}\n`);
  } finally {
    await host.shutdown.run();
  }
}
