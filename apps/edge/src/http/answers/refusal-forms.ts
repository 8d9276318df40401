import { Inject, Injectable } from '@nestjs/common';
import { LOGGER } from '@parlance/foundation';
import { anthropicErrorForm, openAiErrorForm, type RefusalForm, scimErrorForm } from '@parlance/http';
import type { Logger } from '@parlance/observability';
import type { FastifyInstance } from 'fastify';
import { isCallOfModel } from '../routing/model-calls.ts';
import { isOpenAiStyle, publishedAddressOf } from '../published/published-address.ts';
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
      if (form)
        rewriteAnswer(
          raw,
          (_, { 'content-type': type }) =>
            String(type).startsWith('application/problem+json')
              ? { headers: { 'content-type': `${form.mediaType}; charset=utf-8` }, rewrite: inForm(form) }
              : null,
          (failure) => this.log.error({ err: failure }, "a refusal could not be converted to its standard's form"),
        );
      done();
    });
  }
}

const inForm = (form: RefusalForm) => (body: Buffer) =>
  Buffer.from(JSON.stringify(form.of(JSON.parse(body.toString()) as Parameters<RefusalForm['of']>[0])));
