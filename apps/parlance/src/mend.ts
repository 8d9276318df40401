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

/**
 * `parlance replay SERVICE PROJECTION`: builds the rows of a read model a second time from the events and compares them with those in
 * use. With `--reset` it removes the rows instead, and the service builds them again.
 */
export async function replay(config: Config, [name, projection = '', option]: readonly string[]): Promise<void> {
  const service = serviceNamed(name);
  const host = await openHost(config, true);
  try {
    const projector = (await prepareService(service, host)).app.get(Projector);
    if (!projector.names.includes(projection)) throw new Unknown(`projection of ${service.name}`, projection, projector.names);
    await projector.start();
    if (option === '--reset') {
      await projector.reset(projection);
      process.stdout.write(`${projection}: its rows were removed, and are built again when the service runs\n`);
      return;
    }
    const { rows, differing } = await projector.verify(projection);
    const verdict = differing.length === 0 ? 'equal to a replay' : `different from a replay: ${differing.join(', ')}`;
    process.stdout.write(`${projection}: ${rows} rows, ${verdict}\n`);
  } finally {
    await host.shutdown.run();
  }
}
