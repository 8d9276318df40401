import { Inject, Injectable } from '@nestjs/common';
import { LOGGER } from '@parlance/foundation';
import { openAiError } from '@parlance/http';
import type { Logger } from '@parlance/observability';
import type { FastifyInstance } from 'fastify';
import { rewriteAnswer } from '../answers/answer-rewriting.ts';
import { pathOf } from '../routing/published-apis.ts';
import { isOpenAiStyle, publishedAddressOf } from './published-address.ts';

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' } as const;

/**
 * Gives the problems of OpenAI-style paths the form that clients of OpenAI expect: those of the edge, and those of services. Other answers are
 * sent unchanged, from their first byte.
 */
@Injectable()
export class OpenAiErrors {
  constructor(@Inject(LOGGER) private readonly log: Logger) {}

  /** Install it before every hook that may refuse. */
  install(instance: FastifyInstance): void {
    instance.addHook('onRequest', ({ method, url }, { raw }, done) => {
      const address = method === 'HEAD' ? null : publishedAddressOf(pathOf(url));
      if (address && isOpenAiStyle(address.below))
        rewriteAnswer(
          raw,
          (_, { 'content-type': type }) =>
            String(type).startsWith('application/problem+json') ? { headers: JSON_TYPE, rewrite: inOpenAiForm } : null,
          (failure) => this.log.error({ err: failure }, 'a refusal could not be given the form of OpenAI'),
        );
      done();
    });
  }
}

const inOpenAiForm = (body: Buffer): Buffer =>
  Buffer.from(JSON.stringify(openAiError(JSON.parse(body.toString()) as Parameters<typeof openAiError>[0])));
