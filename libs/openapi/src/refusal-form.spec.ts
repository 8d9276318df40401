import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, createParamDecorator, type ExecutionContext, HttpCode, Module, Post } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { refuse } from '@parlance/decider';
import type { FastifyRequest } from 'fastify';
import { Takes } from './answers.ts';
import { component } from './json-schema.ts';
import { serviceDocument } from './service-document.ts';
import { createHttpApplication, Open, type RefusalForm, RefusesAs } from '@parlance/http';

const form: RefusalForm = {
  mediaType: 'application/terse+json',
  schema: component('Terse', { type: 'object', properties: { no: { type: 'string' } } }),
  of: ({ code }) => ({ no: code }),
};
const Order = component('Order', { type: 'object', properties: { dish: { type: 'string' } } });
const RawBody = createParamDecorator((_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<FastifyRequest>().body);

@Controller('orders')
@Open()
@RefusesAs(form)
class OrdersController {
  @Post()
  @HttpCode(200)
  @Takes(Order, 'application/terse+json')
  order(@RawBody() body: unknown) {
    if (JSON.stringify(body).includes('soup')) throw refuse('conflict', 'soup_is_out', 'There is none left.');
    return { took: body };
  }
}

@Controller('others')
@Open()
class OthersController {
  @Post()
  refuse() {
    throw refuse('conflict', 'never', 'Not ever.');
  }
}

@Module({ controllers: [OrdersController, OthersController] })
class Orders {}

describe('a controller with its own form of refusals', () => {
  let app: NestFastifyApplication;
  beforeAll(async () => {
    app = await createHttpApplication(Orders, { statements: null, logger: false, jsonTypes: ['application/terse+json'] });
    await app.init();
  });
  afterAll(() => app.close());
  const post = async (payload: string, type = 'application/terse+json', url = '/orders') => {
    const answer = await app.inject({ method: 'POST', url, payload, headers: { 'content-type': type } });
    return [answer.statusCode, answer.headers['content-type'], JSON.parse(answer.body)];
  };

  it('accepts unknown fields in a body that it reads itself', async () =>
    expect((await post('{"dish":"pie","with":{"any":"thing"}}'))[2]).toEqual({ took: { dish: 'pie', with: { any: 'thing' } } }));
  it.each<[string, string, string, number, string]>([
    ['its handler', '{"dish":"soup"}', 'application/json', 409, 'soup_is_out'],
    ['the reader of bodies', '{', 'application/json', 400, 'malformed_body'],
    ['the check of content types', 'soup', 'text/plain', 415, 'unsupported_media_type'],
    ['the check of the query', '{}', 'application/json', 400, 'invalid_query'],
  ])('has the form where %s refuses', async (who, payload, type, status, no) =>
    expect(await post(payload, type, who.endsWith('query') ? '/orders?x=1' : '/orders')).toEqual([
      status,
      'application/terse+json; charset=utf-8',
      { no },
    ]),
  );
  it('does not change the refusals of other controllers', async () =>
    expect((await post('{}', 'application/json', '/others')).slice(0, 2)).toEqual([409, 'application/problem+json; charset=utf-8']));
  it('is documented with its form of refusals', () => {
    const { paths, components } = serviceDocument(app, { title: 'Orders', version: '1' });
    const operation = paths['/orders']?.['post'];
    expect(operation?.['requestBody']).toEqual({
      required: true,
      content: { 'application/terse+json': { schema: { $ref: '#/components/schemas/Order' } } },
    });
    const responses = operation?.['responses'] as Record<string, { content: object }>;
    for (const status of ['400', '415', 'default'])
      expect(responses[status]?.content).toEqual({ 'application/terse+json': { schema: { $ref: '#/components/schemas/Terse' } } });
    expect(components.schemas).toHaveProperty('Order');
    expect(JSON.stringify(paths['/others'])).not.toContain('Terse');
  });
});
