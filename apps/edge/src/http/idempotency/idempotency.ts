import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Refusal, refuse } from '@parlance/decider';
import { type Sealed, Shredded } from '@parlance/privacy';
import { AT_ONCE, type Caller, isInGroup } from '@parlance/http';
import { turns } from '@parlance/event-loop';
import { Clock, LOGGER, Streams } from '@parlance/foundation';
import { type Logger, RequestContext } from '@parlance/observability';
import { newId } from '@parlance/event-store';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FoundRoute } from '../../adapters/service-documents.ts';
import { ExecuteRememberedRequest } from '../../commands/aggregates.ts';
import {
  rememberedRequest,
  type RememberedRequest,
  type RememberedRequestCommand,
  rememberedRequestStream,
} from '../../domain/remembered-request.ts';
import { AnswerSeals } from './answer-seals.ts';
import { rewriteAnswer } from '../answers/answer-rewriting.ts';
import { isJson, type Operation } from '../routing/operation.ts';
import { networkOf } from '../addresses/plain-address.ts';
import { RepeatsInTurn } from './repeats-in-turn.ts';
import { type ArrivingBody, RequestFingerprints } from './request-fingerprints.ts';
import { LEAF, someShape } from '../routing/schema-shapes.ts';
import { maskSecrets } from './secrets.ts';

const WELL_FORMED_KEY = /^[\x21-\x7e]{1,255}$/;
const KEPT_HEADERS = ['content-type', 'location', 'etag'] as const;

/** A remembered answer: the text of its body, and the headers that describe the created resource. */
interface KeptAnswer {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

type RememberRequest = Extract<RememberedRequestCommand, { type: 'RememberRequest' }>;

/** A request whose answer is remembered when it arrives. */
interface KeyedRequestInProgress {
  readonly hash: string;
  readonly newId: string;
  /** The user whose key seals the answer; null for an answer that is not about a user. */
  readonly subject: string | null;
  /** The command that remembers the request; null if it is already remembered. */
  readonly before: RememberRequest | null;
  /** Called when the answer has been remembered, or will not be. */
  readonly leave: () => void;
}

export interface KeyedBody {
  readonly caller: Caller | null;
  readonly key: string;
  readonly arriving: ArrivingBody;
  /** The body with its names in the case that services expect. */
  readonly body: Buffer;
  /** Rejects if the caller may no longer receive a remembered answer. */
  readonly stillValid?: () => Promise<unknown>;
}

/** `replayed`: the first answer was sent again. `pass`: the service must answer, with this ID for the new resource. */
export type RepeatCheck = { readonly outcome: 'replayed' } | { readonly outcome: 'pass'; readonly newId: string };

/** Remembers creating requests by their `Idempotency-Key`, and replays the first answer to repeats. */
@Injectable()
export class Idempotency {
  constructor(
    private readonly commands: CommandBus,
    private readonly streams: Streams,
    private readonly seals: AnswerSeals,
    private readonly fingerprints: RequestFingerprints,
    private readonly clock: Clock,
    private readonly repeats: RepeatsInTurn,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /**
   * The key of a request that will be remembered, and its body as it arrives; null for all other requests. For a caller who may not use the route,
   * nothing is remembered and nothing is replayed: the service refuses the caller, even if the caller was allowed when the answer was
   * created. Throws the refusal `invalid_idempotency_key` (invalid).
   */
  keyOf(
    { headers }: FastifyRequest,
    { operation: { creates }, needsGroup }: FoundRoute,
    caller: Caller | null,
  ): { readonly key: string; readonly arriving: ArrivingBody } | null {
    const key = headers['idempotency-key'];
    if (key === undefined || !creates) return null;
    if (needsGroup !== null && !isInGroup(caller ?? { groups: [] }, needsGroup)) return null;
    if (typeof key !== 'string' || !WELL_FORMED_KEY.test(key)) {
      throw refuse('invalid', 'invalid_idempotency_key', 'An Idempotency-Key has 1 to 255 visible ASCII characters.');
    }
    return { key, arriving: this.fingerprints.arriving() };
  }

  /**
   * Remembers a request, or replays the answer to an earlier one. Rejects with the refusal `idempotency_key_reused` (conflict), and if the
   * request cannot be remembered now: it must not be executed then.
   */
  async check(
    request: FastifyRequest,
    reply: FastifyReply,
    route: FoundRoute,
    { caller, key, arriving, body, stillValid }: KeyedBody,
  ): Promise<RepeatCheck> {
    const asker = askerOf(request, caller);
    const { method } = request;
    const hash = this.fingerprints.ofKey({ asker, method, path: route.path, params: route.params, key });
    // The names in the body were just replaced: both steps in one turn of the event loop would take too long.
    if (body.length > AT_ONCE) await turns.next();
    // Only requests with API keys use a quota, which a repeat must not use again.
    const leave = caller?.api ? await this.repeats.enter(hash, reply.raw) : NOTHING_TO_LEAVE;
    const now = this.clock.now();
    const bodyHash = this.fingerprints.ofRequest(request.raw.url ?? '', body, arriving);
    const isAnonymous = 'address' in asker;
    const id = isAnonymous ? this.fingerprints.idOf(hash, bodyHash, now) : newId();
    const command = { type: 'RememberRequest', bodyHash, newId: id, now } as const;
    const state = isAnonymous ? await this.remembered(hash, command) : (await this.execute(hash, command)).state;
    if (state.status === 'absent') throw new Error(`${hash} was remembered and is not`);
    if (state.status === 'answered') {
      const kept = await this.seals.open<KeptAnswer>(state.answer.sealed as Sealed);
      // Null if the answer's user was erased since. The service decides what the caller may still do.
      if (kept) {
        await stillValid?.();
        reply.code(state.answer.status).headers({ ...kept.headers, 'idempotent-replayed': 'true' });
        void reply.send(kept.body);
        leave();
        return { outcome: 'replayed' };
      }
    }
    // The edge cannot check a credential that only the service can check, so it asks the service each time.
    if (!('credentials' in asker)) {
      // Records about a user are deleted when the user is erased, whichever caller created them.
      const subject = route.operation.makesUser ? `user:${state.newId}` : caller ? `user:${caller.userId}` : null;
      this.rememberAnswer(reply, route.operation, { hash, newId: state.newId, subject, before: isAnonymous ? command : null, leave });
    }
    return { outcome: 'pass', newId: state.newId };
  }

  /**
   * The state after `RememberRequest`, without writing it. An anonymous caller's request is written only if something was created, because
   * any caller could fill the log. Its repeats still get the same ID, which is derived from the request.
   */
  private async remembered(hash: string, command: RememberRequest): Promise<RememberedRequest> {
    const { state } = await this.streams.look(rememberedRequest, rememberedRequestStream(hash));
    const decided = rememberedRequest.decide(command, state);
    if (decided instanceof Refusal) throw decided;
    return decided.length === 0 ? state : { status: 'open', bodyHash: command.bodyHash, newId: command.newId, at: command.now };
  }

  private rememberAnswer(reply: FastifyReply, operation: Operation, keyed: KeyedRequestInProgress): void {
    const context = RequestContext.current() ?? RequestContext.background();
    rewriteAnswer(
      reply.raw,
      (status, header) => {
        const type = header('content-type');
        // A refusal created nothing, and a stream is sent as it arrives.
        if (status < 200 || status > 299 || (type !== undefined && !isJson(String(type)))) {
          keyed.leave();
          return null;
        }
        const kept = Object.fromEntries(KEPT_HEADERS.flatMap((name) => (header(name) === undefined ? [] : [[name, String(header(name))]])));
        return async (body) => {
          const text = keepable(body.toString(), operation, status);
          // The service ends the answer, possibly in another context.
          await RequestContext.run(context, () => this.keep(keyed, status, { headers: kept, body: text })).finally(keyed.leave);
          return body;
        };
      },
      (failure) => this.log.error({ err: failure }, 'an answer could not be remembered; it was sent to its client'),
    );
  }

  private async keep(
    { hash, newId: requestId, subject, before }: KeyedRequestInProgress,
    status: number,
    answer: KeptAnswer,
  ): Promise<void> {
    let sealed: Sealed;
    try {
      sealed = await this.seals.seal(subject, answer);
    } catch (error) {
      // The user was erased meanwhile, so nothing is kept.
      if (error instanceof Shredded) return;
      throw error;
    }
    if (before) await this.execute(hash, before);
    await this.execute(hash, { type: 'RememberAnswer', newId: requestId, status, answer: sealed });
  }

  private execute(hash: string, command: RememberedRequestCommand) {
    return this.commands.execute(new ExecuteRememberedRequest(hash, command, { isNote: true }));
  }
}

const NOTHING_TO_LEAVE = () => undefined;

function askerOf({ headers }: FastifyRequest, caller: Caller | null): object {
  if (caller?.api) return { api_key: caller.api.keyId };
  if (caller) return { user: caller.userId };
  const { authorization, 'x-api-key': apiKey } = headers;
  if (authorization !== undefined || apiKey !== undefined) return { credentials: [authorization, apiKey] };
  // Anonymous callers with the same address count as one caller.
  return { address: networkOf(RequestContext.current()?.ip ?? '') };
}

function keepable(body: string, { answers }: Operation, status: number): string {
  const shape = answers.get(status) ?? LEAF;
  if (body === '' || !someShape(shape, ({ secret }) => secret)) return body;
  return JSON.stringify(maskSecrets(JSON.parse(body), shape));
}
