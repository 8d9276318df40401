import { describe, expect, it } from '@jest/globals';
import type { CloudEvent } from '../broker.ts';
import { pack, unpack } from './packed.ts';

const topic = 'parlance.bots';
const plain: CloudEvent = {
  specversion: '1.0',
  id: '01KAJ0000000000000000000AB',
  source: '/bots',
  type: 'parlance.bots.bot-created.v1',
  subject: 'bot-1',
  time: '2026-11-21T18:54:27.123Z',
  datacontenttype: 'application/json',
  sequence: '7.0',
  data: { bot_id: '1', title: 'Größe 🙂' },
};
const full = {
  ...plain,
  actor: 'eve',
  actorip: '::1',
  actoragent: 'x',
  requestid: 'r',
  correlationid: 'r',
  causationid: 'c',
  traceparent: 't',
  actortoken: 'p',
};

describe('a packed event', () => {
  const events: Record<string, CloudEvent> = {
    'of the usual form': full,
    'without what is optional': plain,
    'with the correlation of another request': { ...full, correlationid: 'other' },
    'with a correlation and no request': { ...plain, correlationid: 'alone' },
    'with a gap among what is optional': { ...plain, causationid: 'c' },
    'of another source': { ...plain, source: '/elsewhere' },
    'of an empty source and subject': { ...plain, source: '', subject: '' },
    'of another type than its topic': { ...plain, type: 'parlance.other.thing.v1' },
    'about another subject than its key': { ...plain, subject: 'bot-2' },
    'at a time in another form': { ...plain, time: '2026-11-21T19:54:27+01:00' },
    'at no time': { ...plain, time: 'soon' },
    'with data that is no object': { ...plain, data: 0 },
    'with data that is null': { ...plain, data: null },
    'with an attribute of its own': { ...plain, region: 'eu' } as CloudEvent,
    'of another content type': { ...plain, datacontenttype: 'text/plain' } as unknown as CloudEvent,
  };
  for (const [name, event] of Object.entries(events))
    it(`comes back as it was: ${name}`, () => expect(unpack(pack(event, topic, 'bot-1'), topic, 'bot-1')).toEqual(event));

  it('is read when version 0.2 wrote it', () => expect(unpack(JSON.stringify(full), topic, 'bot-1')).toEqual(full));

  it('is less than half as long', () => expect(pack(full, topic, 'bot-1').length).toBeLessThan(JSON.stringify(full).length / 2));
});
