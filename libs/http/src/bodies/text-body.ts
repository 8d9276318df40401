import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Route } from '../routes/routes.ts';
import { notUtf8 } from './json-limits.ts';

/** Reads the texts that routes accept instead of JSON. Other routes refuse them with 415. */
export function takeTexts(instance: FastifyInstance, routes: readonly Route[]): void {
  const mediaTypes = new Set(routes.flatMap(({ policy: { textBody } }) => (textBody ? [textBody.mediaType] : [])));
  for (const mediaType of mediaTypes)
    instance.addContentTypeParser(mediaType, async ({ raw, routeOptions }: FastifyRequest) => {
      const { textBody } = routeOptions.config.policy ?? {};
      if (textBody?.mediaType !== mediaType) throw Object.assign(new Error('unsupported media type'), { statusCode: 415 });
      return instance.bodies.use(raw, routeOptions.bodyLimit, async (bytes) => {
        if (!isUtf8(bytes)) throw notUtf8();
        return { [textBody.field]: bytes.toString('utf8') };
      });
    });
}
