import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Instant } from '@parlance/decider';
import { newId } from '@parlance/event-store';
import { type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import { STATEMENT_HEADER } from '@parlance/http';
import { waitFor } from '@parlance/testing';
import { type FastifyReply, fastify } from 'fastify';
import { publication } from '../src/service.ts';

export type Headers = Readonly<Record<string, string>>;

/** An answer as a client sees it. The body is null if there is none. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  // The specs read answers of any shape.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

/** A stand-in for the bots service. Specs set its refusals, because the rules of reservations have specs in that service. */
export class Reservations {
  readonly owners = new Map<string, string>();
  /** The number of the publication for which each bot is reserved. */
  readonly held = new Map<string, number>();
  readonly published = new Set<string>();
  /** The status and the code that a step returns instead of succeeding. */
  refusal: { readonly step: string; readonly status: number; readonly code: string } | null = null;
  /** Steps wait for this. */
  gate: Promise<void> = Promise.resolve();
  readonly calls: string[] = [];

  async enter({ host }: ServiceUnderTest): Promise<void> {
    const bots = fastify();
    const problem = (reply: FastifyReply, status: number, code: string) =>
      reply
        .code(status)
        .type('application/problem+json')
        .send(JSON.stringify({ code, detail: 'It was refused.' }));
    bots.get<{ Params: { bot: string } }>('/internal/bots/:bot/owner', async ({ params: { bot }, headers }, reply) => {
      const caller = host.statements.verify(String(headers[STATEMENT_HEADER]), Instant.ofMillis(Date.now()))!;
      const owner = this.owners.get(bot);
      if (owner === undefined) return problem(reply, 404, 'bot_not_found');
      if (caller.sub !== owner && !caller.groups.includes('Admin')) return problem(reply, 403, 'not_owner');
      return { owner_user_id: owner };
    });
    for (const step of ['', '/complete', '/release'])
      bots.post<{ Params: { bot: string }; Body: { number: number } }>(
        `/internal/bots/:bot/reservation${step}`,
        async ({ params: { bot }, body: { number } }, reply) => {
          this.calls.push(`${step.slice(1) || 'reserve'} ${number}`);
          await this.gate;
          if (this.refusal?.step === step) return problem(reply, this.refusal.status, this.refusal.code);
          if (step === '') this.held.set(bot, number);
          if (step === '/complete') this.published.add(bot);
          if (step === '/release' && (this.held.get(bot) ?? 0) <= number) {
            this.held.delete(bot);
            this.published.delete(bot);
          }
          return reply.code(204).send();
        },
      );
    await host.local.enter('bots', bots);
  }
}

/** The publication service with its providers, for specs. */
export class PublicationUnderTest {
  private constructor(
    readonly service: ServiceUnderTest,
    readonly app: NestFastifyApplication,
    readonly bots: Reservations,
  ) {}

  static async start(settings: Readonly<Record<string, string>> = {}): Promise<PublicationUnderTest> {
    let app: NestFastifyApplication | undefined;
    const service = await serviceUnderTest({ ...publication, install: (started) => (app = started) }, settings);
    const bots = new Reservations();
    await bots.enter(service);
    return new PublicationUnderTest(service, app!, bots);
  }

  owner(userId = 'ann'): Headers {
    return this.service.as(userId, 'PublishAllowed');
  }

  /** Announces a bot of this owner to the service, and returns its ID. */
  async knownBot(owner = 'ann', scope: 'all' | 'private' = 'all'): Promise<string> {
    const botId = newId();
    this.bots.owners.set(botId, owner);
    await this.service.hear('parlance.bots.bot-created.v1', `bot-${botId}`, { bot_id: botId, owner_user_id: owner });
    const lists = { allowed_user_ids: [], allowed_group_ids: [], editor_user_ids: [], editor_group_ids: [] };
    const widened = { bot_id: botId, shared_scope: 'all', previous_scope: 'private', ...lists };
    if (scope === 'all') await this.service.hear('parlance.bots.bot-widened.v1', `bot-${botId}`, widened);
    const path = `/bot/${botId}/publication`;
    const headers = scope === 'all' ? this.service.as('root', 'Admin') : this.owner(owner);
    await waitFor(async () => (await this.ask('GET', path, headers)).body.code === 'not_published', { what: 'the bot to be known' });
    return botId;
  }

  /** A bot that is published. */
  async publishedBot(body: object = {}): Promise<string> {
    const botId = newId();
    this.bots.owners.set(botId, 'ann');
    await this.publish(botId, body);
    await this.settled(botId);
    return botId;
  }

  publish(botId: string, body: object = {}, headers = this.owner()): Promise<Answer> {
    return this.ask('POST', `/bot/${botId}/publication`, headers, { allowed_origins: ['*'], ...body });
  }

  /** The publication when its work has ended. */
  async settled(botId: string): Promise<Answer> {
    let answer: Answer | undefined;
    await waitFor(
      async () => {
        answer = await this.ask('GET', `/bot/${botId}/publication`, this.owner());
        return answer.body.codebuild_status !== 'IN_PROGRESS' && answer.body.cfn_status !== 'DELETE_IN_PROGRESS';
      },
      { what: 'the deployment to end' },
    );
    return answer!;
  }

  async createKey(botId: string, body: object = {}): Promise<Answer> {
    return this.ask('POST', `/bot/${botId}/publication/api-key`, this.owner(), { description: 'Shop', ...body });
  }

  /** Sends a request as the edge does, without a network. */
  async ask(method: string, url: string, headers: Headers, body?: object): Promise<Answer> {
    const payload =
      body === undefined ? {} : { payload: JSON.stringify(body), headers: { ...headers, 'content-type': 'application/json' } };
    const answer = await this.app.inject({ method: method as 'GET', url, headers, ...payload });
    return { status: answer.statusCode, headers: answer.headers, body: answer.payload === '' ? null : JSON.parse(answer.payload) };
  }

  stop(): Promise<void> {
    return this.service.stop();
  }
}
