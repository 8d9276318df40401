import { Inject, Injectable } from '@nestjs/common';
import { LOGGER } from '@parlance/foundation';
import { refuse } from '@parlance/decider';
import { anthropicErrorForm, openAiErrorForm, problemOf, type RefusalForm, scimErrorForm } from '@parlance/http';
import type { Logger } from '@parlance/observability';
import type { FastifyInstance } from 'fastify';
import { isCallOfModel } from '../routing/model-calls.ts';
import { setLastEvent } from '../../adapters/forwarding/stream-farewell.ts';
import { isOpenAiStyle, publishedAddressOf } from '../published/published-address.ts';
import { openAiEventOf } from '../published/stream-end.ts';
import { pathOf } from '../routing/published-apis.ts';
import { rewriteAnswer } from './answer-rewriting.ts';

const SCIM = '/scim/v2';
const ANTHROPIC = '/v1/messages';

/** The form of refusals that the standard of a path defines; null for paths with the problems of RFC 9457. */
export function refusalFormAt(path: string): RefusalForm | null {
  if (path === SCIM || path.startsWith(`${SCIM}/`)) return scimErrorForm;
  if (isCallOfModel(path)) return path.startsWith(ANTHROPIC) ? anthropicErrorForm : openAiErrorForm;
  const address = publishedAddressOf(path);
  return address && isOpenAiStyle(address.below) ? openAiErrorForm : null;
}

/**
 * Converts problems to the form that clients of these paths expect, whether they come from a service or from the edge, which also answers
 * unknown paths. Other answers are sent unchanged, from their first byte.
 */
@Injectable()
export class RefusalForms {
  constructor(@Inject(LOGGER) private readonly log: Logger) {}

  /** Must be installed before every hook that may refuse. */
  install(instance: FastifyInstance): void {
    instance.addHook('onRequest', ({ method, url }, { raw }, done) => {
      const form = method === 'HEAD' ? null : refusalFormAt(pathOf(url));
      if (form) {
        setLastEvent(raw, () => lastEventIn(form));
        rewriteAnswer(
          raw,
          (_, header) =>
            String(header('content-type')).startsWith('application/problem+json')
              ? { headers: { 'content-type': `${form.mediaType}; charset=utf-8` }, rewrite: inForm(form) }
              : null,
          (failure) => this.log.error({ err: failure }, "a refusal could not be converted to its standard's form"),
        );
      }
      done();
    });
  }
}

const LOST =
  'The process that wrote this stream was lost. What the model has written may be charged. Send the request again if you need the rest.';

/** The error at the end of a stream that breaks off. SDKs of these standards do not resume streams. */
function lastEventIn(form: RefusalForm): string {
  const error = refuse('unavailable', 'stream_broken', LOST);
  return form === openAiErrorForm ? openAiEventOf(error) : `event: error\ndata: ${JSON.stringify(form.of(problemOf(error).body))}`;
}

const inForm = (form: RefusalForm) => (body: Buffer) =>
  Buffer.from(JSON.stringify(form.of(JSON.parse(body.toString()) as Parameters<RefusalForm['of']>[0])));
