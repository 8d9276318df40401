import { expect, it, jest } from '@jest/globals';
import { ServiceCalls } from '@parlance/calls';
import { Instant } from '@parlance/decider';
import { LocalPublishedLogs, PublishedLog } from './published-log.ts';
import { PublishedEventsOfServices } from './other-services.ts';
import { PublishedController } from './published.controller.ts';
import { RELEASE } from './release.ts';

const page = { events: [], position: 7, head: 7 };
const log = { after: async () => page, positionAt: async () => 1 } as unknown as PublishedLog;

it.each([
  ['the same release', RELEASE],
  ['an older release', RELEASE - 1],
  ['release 0.2, which does not send its release', undefined],
])('serves the log to %s', async (_, release) => {
  expect(await new PublishedController(log).page({ after: 0, ...(release !== undefined && { release }) })).toEqual(page);
});

it('refuses the log to a newer release, because this release would leave out newer events', () => {
  const read = () => new PublishedController(log).page({ after: 0, release: RELEASE + 1 });
  expect(read).toThrow(expect.objectContaining({ kind: 'conflict', code: 'older_release' }));
});

it("sends its release when it reads another service's log", async () => {
  const get = jest.fn(async (..._: unknown[]) => page);
  const published = new PublishedEventsOfServices(new LocalPublishedLogs(), { get } as unknown as ServiceCalls);
  expect(await published.after('bots', 3, { bytes: 9 })).toEqual(page);
  expect(get).toHaveBeenCalledWith('bots', '/internal/published', { query: { after: 3, bytes: 9, release: RELEASE } });
});

it('tells another service that the newest events may be left out', async () => {
  const get = jest.fn(async (..._: unknown[]) => page);
  const published = new PublishedEventsOfServices(new LocalPublishedLogs(), { get } as unknown as ServiceCalls);
  await published.after('bots', 3, { bytes: 9, mayMissNewest: true });
  expect(get).toHaveBeenCalledWith('bots', '/internal/published', {
    query: { after: 3, bytes: 9, release: RELEASE, may_miss_newest: true },
  });
});

it('asks another service for the position of an instant in its log', async () => {
  const get = jest.fn(async (..._: unknown[]) => ({ position: 5 }));
  const published = new PublishedEventsOfServices(new LocalPublishedLogs(), { get } as unknown as ServiceCalls);
  expect(await published.positionAt('bots', Instant.ofMillis(1))).toBe(5);
  expect(get).toHaveBeenCalledWith('bots', '/internal/published/position', { query: { at: Instant.ofMillis(1) } });
});
