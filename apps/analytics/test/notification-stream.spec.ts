import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import type { Notification } from '../src/http/notifications/notification-answers.ts';
import { CAT, type Headers, notifiedService } from './notified-service.ts';

const { service, others, ask, listed, share } = await notifiedService();
afterAll(() => service.stop());

interface Received {
  readonly id: string;
  readonly data: Notification;
}

/** The events of an open stream. */
async function follow(headers: Headers, query = '') {
  const { port } = (service.server.listening ? service.server : service.server.listen(0)).address() as AddressInfo;
  const call = get({ port, path: `/user/me/notifications/stream${query}`, headers });
  call.on('error', () => undefined);
  const [answer] = (await once(call, 'response')) as [IncomingMessage];
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8']);
  let text = '';
  answer.setEncoding('utf8');
  answer.on('data', (part: string) => (text += part));
  answer.on('error', () => undefined);
  const received = () =>
    [...text.matchAll(/^id: (.*)\nevent: notification\ndata: (.*)$/gm)].map(([, id, data]): Received => ({
      id: id!,
      data: JSON.parse(data!) as Notification,
    }));
  return {
    received,
    titles: () => received().map(({ data }) => data.bot?.title),
    gets: (count: number) => waitFor(async () => received().length >= count, { what: `${count} events` }),
    hasEnded: () => answer.closed,
    leave: () => void call.destroy(),
  };
}

describe('a stream of notifications', () => {
  const eve = newId();
  const headers = () => service.as(eve);
  const shared = async (bot: string, user = eve) => {
    others.titles = { ...others.titles, [bot]: `Title of ${bot}` };
    await share(bot, { added_user_ids: [user] });
  };

  it('sends new ones of this user', async () => {
    await shared('before');
    await listed(headers(), 1);
    const stream = await follow(headers());
    await shared('of-another', CAT);
    await shared('first');
    await stream.gets(1);
    await shared('second');
    await stream.gets(2);
    expect(stream.titles()).toEqual(['Title of first', 'Title of second']);
    stream.leave();
  });
  it('does not send earlier ones, if it began while the bots service was unavailable', async () => {
    others.titles = null;
    const stream = await follow(headers());
    others.titles = {};
    for (const bot of ['before', 'first', 'second', 'later']) others.titles[bot] = bot;
    await shared('later');
    await stream.gets(1);
    expect(stream.titles()).toEqual(['Title of later']);
    stream.leave();
  });
  it('continues after the last event that its reader has, or after a position of the list', async () => {
    const { position } = await ask(headers());
    const stream = await follow(headers());
    await shared('third');
    await stream.gets(1);
    stream.leave();
    await shared('fourth');
    const resumed = await follow({ ...headers(), 'last-event-id': stream.received()[0]!.id });
    await resumed.gets(1);
    expect(resumed.titles()).toEqual(['Title of fourth']);
    const begun = await follow(headers(), `?after=${position}`);
    await begun.gets(2);
    expect(begun.titles()).toEqual(['Title of third', 'Title of fourth']);
    for (const each of [resumed, begun]) each.leave();
  });
  it('waits for what its reader may only see soon, and sends it in its place', async () => {
    const stream = await follow(headers());
    // The bots service has published the event, but not written its own row.
    await share('soon', { added_user_ids: [eve] });
    await shared('after-soon');
    await waitFor(() => others.asked.has('after-soon'), { what: 'the first look' });
    others.titles = { ...others.titles, soon: 'Title of soon' };
    await shared('last');
    await stream.gets(3);
    expect(stream.titles()).toEqual(['Title of soon', 'Title of after-soon', 'Title of last']);
    stream.leave();
  });
  it('goes on without what is for a group that the user has left', async () => {
    const stream = await follow(service.as(CAT, 'left', 'other'));
    others.titles = { ...others.titles, secret: 'Title of secret', team: 'Title of team' };
    await share('secret', { added_group_ids: ['other'] });
    await share('team', { added_group_ids: ['left'] });
    await stream.gets(1);
    expect([stream.titles(), stream.hasEnded()]).toEqual([['Title of team'], false]);
    stream.leave();
  });
  it('does not begin after an unknown position', async () => {
    const answer = await request(service.server)
      .get('/user/me/notifications/stream')
      .set({ ...headers(), 'last-event-id': 'x' });
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_last_event_id']);
  });
  it('is refused to a user who has ten', async () => {
    const streams = await Promise.all(Array.from({ length: 10 }, () => follow(service.as('many'))));
    const refused = await request(service.server).get('/user/me/notifications/stream').set(service.as('many'));
    expect([refused.status, refused.body.code]).toEqual([503, 'too_many_streams']);
    const other = await follow(headers());
    for (const each of [...streams, other]) each.leave();
    const again = async () => (await request(service.server).get('/user/me/notifications/stream?after=x').set(service.as('many'))).status;
    await waitFor(async () => (await again()) === 400, { what: 'the ends of the streams' });
  });
});
