import { type ArgumentMetadata, Injectable, Param, type PipeTransform } from '@nestjs/common';
import { refuse } from '@parlance/decider';
import { RouteParamtypes } from '@nestjs/common/internal';
import { type BodyClass, changesFields, mayBeLeftOut, shapeOf } from './body-shape.ts';
import { type Validator, validatorOf } from './body-validator.ts';
import { queryValidatorOf, requireUlid } from '../routes/query.ts';
import type { Route } from '../routes/routes.ts';

/**
 * Validates every `@Body()`, `@Query()` and `@Param()` of every controller. A class must declare the whole body or query. If the type
 * does not exist at run time (an interface, `import type`), the route fails instead of accepting any value.
 */
@Injectable()
export class RequestPipe implements PipeTransform {
  private readonly bodies = new WeakMap<BodyClass, Validator>();
  private readonly queries = new WeakMap<BodyClass, Validator>();

  /** Throws the refusals of `validatorOf` and `queryValidatorOf`, and Error if no class declares the body or query. */
  transform(value: unknown, { type, metatype, data }: ArgumentMetadata): unknown {
    if (type === 'body') {
      const validate = this.validator(this.bodies, metatype, data, (bodyClass) => validatorOf(bodyClass, 'invalid_body'));
      return validate(value === undefined && mayBeLeftOut(metatype as BodyClass) ? {} : value);
    }
    if (type === 'query') return this.validator(this.queries, metatype, data, queryValidatorOf)(value);
    if (type === 'param' && typeof value === 'string') return checkedParam(value, data);
    return value;
  }

  /**
   * Builds the validators of a route before its first request. Throws Error if no class declares its body or query, or if the body class of a PATCH
   * has no `@ChangesFields()`.
   */
  prepare(route: Route): void {
    for (const { kind, type, name } of route.arguments) {
      try {
        const metatype = type as ArgumentMetadata['metatype'];
        if (kind === RouteParamtypes.BODY) {
          this.validator(this.bodies, metatype, name, (bodyClass) => validatorOf(bodyClass, 'invalid_body'));
          if (route.method === 'patch') requireChange(metatype as BodyClass);
        }
        if (kind === RouteParamtypes.QUERY) this.validator(this.queries, metatype, name, queryValidatorOf);
      } catch (error) {
        throw new Error(`${route.controller.name}.${route.name}: ${(error as Error).message}`, { cause: error });
      }
    }
  }

  private validator(
    cache: WeakMap<BodyClass, Validator>,
    metatype: ArgumentMetadata['metatype'],
    data: string | undefined,
    make: (type: BodyClass) => Validator,
  ): Validator {
    if (metatype === undefined || NOT_CLASSES.has(metatype) || data !== undefined) {
      throw new Error('a body or query must be declared by one class, imported as a value');
    }
    const type = metatype as BodyClass;
    let validate = cache.get(type);
    if (validate === undefined) cache.set(type, (validate = make(type)));
    return validate;
  }
}

function requireChange(type: BodyClass): void {
  if (changesFields(type) || ![...shapeOf(type).values()].some(({ optional }) => optional)) return;
  throw new Error(`${type.name} is the body of a PATCH and has no @ChangesFields()`);
}

const NOT_CLASSES: ReadonlySet<unknown> = new Set([Object, String, Number, Boolean, Array, Function, Promise]);

function checkedParam(value: string, name: string | undefined): string {
  if (!value.includes('\0')) return value;
  throw refuse(
    'invalid',
    'invalid_parameter',
    name === undefined ? 'The path has a NUL in it.' : `The parameter ${name} has a NUL in it.`,
    {
      errors: [{ path: name ?? '', message: 'has a NUL in it' }],
    },
  );
}

export class UlidPipe implements PipeTransform {
  constructor(private readonly name: string) {}

  transform(value: string): string {
    return requireUlid(this.name, value);
  }
}

/** A path parameter that is a ULID. Another value is refused with `invalid_id`. */
export const IdParam = (name: string): ParameterDecorator => Param(name, new UlidPipe(name));
