import type { IncomingMessage } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { Config } from '@parlance/config';
import { LOGGER } from '@parlance/foundation';
import type { Logger } from '@parlance/observability';
import type { FastifyInstance } from 'fastify';
import { ServiceDocuments } from '../../adapters/service-documents.ts';
import { type Rewrite, rewriteAnswer } from '../answers/answer-rewriting.ts';
import { requestedCase } from './requested-case.ts';
import { camelPath, toCamelCase } from './casing.ts';
import { isJson, type Operation } from '../routing/operation.ts';
import { pathOf } from '../routing/published-apis.ts';
import { hasOwnNames, publishedAddressOf } from '../published/published-address.ts';
import { LEAF } from '../routing/schema-shapes.ts';

/**
 * Changes the names of JSON answers to camelCase for clients that request it. Two kinds of answers pass unchanged: event streams, because
 * they cannot be collected, and answers whose names another standard defines. Must be installed before every hook that may refuse, so that
 * problems have the same case.
 */
@Injectable()
export class AnswerCasing {
  constructor(
    private readonly documents: ServiceDocuments,
    private readonly config: Config,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  install(instance: FastifyInstance): void {
    instance.addHook('onRequest', ({ raw, method, url }, reply, done) => {
      const published = publishedAddressOf(pathOf(url));
      if (this.isWantedBy(raw) && !(published && hasOwnNames(published.below))) {
        const operation = this.documents.routeOf(method, pathOf(url))?.operation ?? null;
        rewriteAnswer(
          reply.raw,
          (status, header) => (header('content-encoding') === undefined ? rewriteOf(operation, status, header('content-type')) : null),
          (failure) => this.log.error({ err: failure }, 'an answer could not be converted to camelCase'),
        );
      }
      done();
    });
  }

  /** Whether the names of the answer are in camelCase. */
  isWantedBy({ method, headers: { accept } }: IncomingMessage): boolean {
    return method !== 'HEAD' && (requestedCase(accept) ?? this.config.wireCase) === 'camel';
  }
}

function rewriteOf(operation: Operation | null, status: number, contentType: unknown): Rewrite | null {
  const mediaType = String(contentType);
  if (mediaType.startsWith('application/problem+json')) return inJson((problem) => problemInCamelCase(problem as Problem, operation));
  const shape = operation?.answers.get(status);
  return shape && isJson(mediaType) ? inJson((value) => toCamelCase(value, shape)) : null;
}

const inJson =
  (change: (value: unknown) => unknown): Rewrite =>
  (body) => {
    const value: unknown = JSON.parse(body.toString());
    const changed = change(value);
    return changed === value ? body : Buffer.from(JSON.stringify(changed));
  };

interface Problem extends Readonly<Record<string, unknown>> {
  readonly errors?: readonly { readonly path: string; readonly message: string }[];
}

/** The paths in its errors name fields of the request. An unknown name stays as the client wrote it. */
function problemInCamelCase({ request_id: requestId, errors, ...problem }: Problem, operation: Operation | null): unknown {
  const shape = operation?.request ?? LEAF;
  const first = errors?.[0]?.path ?? '';
  // The detail contains the path of the first error.
  const sentence = (text: unknown) =>
    first !== '' && typeof text === 'string' ? text.replace(` ${first} `, () => ` ${camelPath(first, shape)} `) : text;
  return {
    ...problem,
    detail: sentence(problem['detail']),
    message: sentence(problem['message']),
    requestId,
    ...(errors && { errors: errors.map(({ path, ...rest }) => ({ path: camelPath(path, shape), ...rest })) }),
  };
}
