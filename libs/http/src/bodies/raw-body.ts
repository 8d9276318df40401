import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Route } from '../routes/routes.ts';

export interface ReceivedBytes {
  /** Empty without a body. */
  readonly bytes: Buffer;
  /** In lower case, without parameters. */
  readonly mediaType: string;
}

/** The body of a route with `TakesBytes`. No pipe validates it. */
export const BodyBytes = createParamDecorator((_: unknown, context: ExecutionContext): ReceivedBytes => {
  const { body, headers } = context.switchToHttp().getRequest<FastifyRequest>();
  const mediaType = (headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase();
  return { bytes: Buffer.isBuffer(body) ? body : Buffer.alloc(0), mediaType };
});

export const JSON_TYPE = 'application/json';

export const takesBytes = ({ config: { policy } }: FastifyRequest['routeOptions'], mediaType: string): boolean =>
  policy?.byteTypes?.includes(mediaType) === true;

/** Receives the bodies of types other than JSON that routes read as bytes. Other routes refuse them with 415. */
export function takeBytes(instance: FastifyInstance, routes: readonly Route[]): void {
  const mediaTypes = new Set(routes.flatMap(({ policy: { byteTypes = [] } }) => byteTypes));
  mediaTypes.delete(JSON_TYPE);
  for (const mediaType of mediaTypes)
    instance.addContentTypeParser(mediaType, async ({ raw, routeOptions }: FastifyRequest) => {
      if (!takesBytes(routeOptions, mediaType)) throw Object.assign(new Error('unsupported media type'), { statusCode: 415 });
      return instance.bodies.use(raw, routeOptions.bodyLimit, async (bytes) => bytes);
    });
}
