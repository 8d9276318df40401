import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { newId } from '@parlance/event-store';
import type { Service } from '@parlance/foundation';
import { type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import { type CloudEvent, topicOf } from '@parlance/messaging';
import { dayOf, MostUsedOn } from '../src/projections/bot-uses.ts';
import { RecentUsesOf } from '../src/projections/recent-bots.ts';
import { ReadModels } from '@parlance/read-models';
import { waitFor } from '@parlance/testing';
import { bots } from '../src/service.ts';
import { offering } from './offering.ts';

export type Headers = Readonly<Record<string, string>>;

/** An answer as a client sees it. The body is null if there is none. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  // The specs read answers of any shape.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

const SUBMITTED = 'parlance.inference.message-submitted.v1';

/** A use of a bot. */
export interface Use {
  readonly userId: string;
  readonly botId: string;
  /** Defaults to now. */
  readonly at?: Date;
}

/** The service of bots with its providers, for specs. */
export class BotsUnderTest {
  private uses = 0;
  /** Uses of all bots by day. */
  private readonly counts = new Map<string, number>();

  private constructor(
    readonly service: ServiceUnderTest,
    readonly app: NestFastifyApplication,
  ) {}

  static async start(settings: Readonly<Record<string, string>> = {}, definition: Service = bots): Promise<BotsUnderTest> {
    let app: NestFastifyApplication | undefined;
    const service = await serviceUnderTest({ ...definition, install: (started) => (app = started) }, settings);
    await service.host.local.enter('inference', offering());
    return new BotsUnderTest(service, app!);
  }

  /** Headers of a user who may create bots. */
  creator(userId: string, ...groups: string[]): Headers {
    return this.service.as(userId, 'CreatingBotAllowed', ...groups);
  }

  /** Headers of a call that another service makes for a user. */
  onBehalfOf(userId: string, ...groups: string[]): Headers {
    return this.service.asCallFor(userId, ...groups);
  }

  /** Sends a request as the edge does, without a network. */
  async ask(method: string, url: string, headers: Headers, body?: object): Promise<Answer> {
    const payload =
      body === undefined ? {} : { payload: JSON.stringify(body), headers: { ...headers, 'content-type': 'application/json' } };
    const answer = await this.app.inject({ method: method as 'GET', url, headers, ...payload });
    return { status: answer.statusCode, headers: answer.headers, body: bodyOf(answer.headers['content-type'], answer.payload) };
  }

  get(url: string, headers: Headers): Promise<Answer> {
    return this.ask('GET', url, headers);
  }

  /** Creates a bot and returns its body. Throws if that is refused. */
  async create(userId: string, body: object = {}): Promise<{ id: string; version: number }> {
    const answer = await this.ask('POST', '/bot', this.creator(userId), { title: 'Guide', ...body });
    if (answer.status !== 201) throw new Error(`create: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  /** Shares a bot as its owner. Throws if that is refused. */
  async share(userId: string, botId: string, target_shared_scope: string, lists: object = {}): Promise<void> {
    const { status, body } = await this.ask('PATCH', `/bot/${botId}/visibility`, this.service.as(userId), {
      target_shared_scope,
      ...lists,
    });
    if (status !== 200) throw new Error(`share: ${status} ${JSON.stringify(body)}`);
  }

  /** Publishes uses as inference would, each with its own time, and waits until they are counted. Must not be mixed with `service.hear`. */
  async use(...uses: readonly Use[]): Promise<void> {
    const timed = uses.map(({ at = new Date(), ...use }) => ({ ...use, at }));
    for (const { at } of timed) this.counts.set(dayOf(at.getTime()), (this.counts.get(dayOf(at.getTime())) ?? 0) + 1);
    const publisher = await this.service.host.broker.publisher('test.inference');
    await publisher.send(
      timed.map(({ userId, botId, at }) => ({ topic: topicOf(SUBMITTED), key: userId, event: this.useEvent(userId, botId, at) })),
    );
    await publisher.close();
    const models = this.app.get(ReadModels);
    const areCounted = async () => {
      for (const [day, count] of this.counts) {
        const rows = await MostUsedOn.find(models, day, 10_000);
        if (rows.reduce((sum, row) => sum + row.uses, 0) < count) return false;
      }
      return true;
    };
    await waitFor(areCounted, { what: 'the uses to be counted' });
    // Events with one key keep their order, so the last use of each user is enough.
    for (const { userId, botId, at } of new Map(timed.map((use) => [use.userId, use])).values())
      await waitFor(async () => ((await RecentUsesOf.find(models, userId)).get(botId) ?? 0) >= Math.floor(at.getTime() / 1000), {
        what: 'the uses to be noted',
      });
  }

  private useEvent(userId: string, botId: string, at: Date): CloudEvent {
    const data = { conversation_id: newId(), reply_id: newId(), message_id: newId(), user_id: userId, bot_id: botId, model: 'm' };
    return {
      specversion: '1.0',
      id: newId(),
      source: '/inference',
      type: SUBMITTED,
      subject: `conversation-${data.conversation_id}`,
      time: at.toISOString(),
      datacontenttype: 'application/json',
      sequence: `${++this.uses}.0`,
      actor: userId,
      actorip: '203.0.113.9',
      data,
    };
  }

  stop(): Promise<void> {
    return this.service.stop();
  }
}

const bodyOf = (type: unknown, payload: string): unknown =>
  payload !== '' && /json/.test(String(type)) ? JSON.parse(payload) : payload || null;

/** The IDs of the bots of a page, in order. */
/** For a list, or for a search. */
export const idsOf = ({ body }: Answer): string[] => (body.results ?? body.bots).map(({ id }: { id: string }) => id);
