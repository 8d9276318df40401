import { describe, expect, it } from '@jest/globals';
import { RouteParamtypes } from '@nestjs/common/internal';
import { Refusal } from '@parlance/decider';
import { Transform, Type } from 'class-transformer';
import { Allow, IsInt, IsOptional, IsString, Length, Max, MaxLength, MinLength, ValidateNested, ValidatePromise } from 'class-validator';
import { type BodyClass, ChangesFields, MayBeNull, shapeOf } from './body-shape.ts';
import { validatorOf } from './body-validator.ts';
import { RequestPipe } from './validation.ts';
import type { Route } from '../routes/routes.ts';

class Part {
  @IsString() text!: string;
}

describe('the rules of a body class', () => {
  it('accept any value of a property with @Allow', () => {
    class Any {
      @Allow() value!: unknown;
    }
    expect(validatorOf(Any, 'invalid_body')({ value: 7 })).toEqual({ value: 7 });
  });

  it('apply a rule with `each` to every item of a list, and refuse a value that is not a list', () => {
    class Listed {
      @IsString({ each: true }) names!: string[];
    }
    const validate = validatorOf(Listed, 'invalid_body');
    expect(validate({ names: ['ann', 'ben'] })).toEqual({ names: ['ann', 'ben'] });
    for (const names of [['ann', 7], [7, 'ben'], 'ann']) expect(() => validate({ names })).toThrow(Refusal);
  });

  it('treat null as an absent field, except in a change, and keep it where null is a value', () => {
    class Fields {
      @IsOptional() @IsString() title?: string;
      @MayBeNull() @IsString() until?: string | null;
    }
    @ChangesFields()
    class Changes extends Fields {}
    const nulls = { title: null, until: null };
    expect(validatorOf(Fields, 'invalid_body')(nulls)).toEqual({ until: null });
    expect(validatorOf(Changes, 'invalid_body')({ until: null })).toEqual({ until: null });
    expect(validatorOf(Changes, 'invalid_body')({})).toEqual({});
    expect(() => validatorOf(Changes, 'invalid_body')(nulls)).toThrow('The field title must not be null.');
    expect(() => validatorOf(Changes, 'invalid_body')({ until: 7 })).toThrow(Refusal);
  });

  it('of a PATCH without @ChangesFields() fail at the start', () => {
    class Fields {
      @IsOptional() @IsString() title?: string;
    }
    @ChangesFields()
    class Changes extends Fields {}
    const prepare = (type: BodyClass, method: string) => {
      const body = { kind: RouteParamtypes.BODY, name: undefined, type, pipes: [] };
      new RequestPipe().prepare({ method, arguments: [body], controller: Fields, name: 'change' } as unknown as Route);
    };
    expect(() => prepare(Fields, 'patch')).toThrow('Fields.change: Fields is the body of a PATCH and has no @ChangesFields()');
    expect(() => prepare(Fields, 'post')).not.toThrow();
    expect(() => prepare(Changes, 'patch')).not.toThrow();
  });

  it('report that a value is missing, not which values are allowed', () => {
    class Ordered {
      @IsInt() @Max(999) order!: unknown;
    }
    expect(() => validatorOf(Ordered, 'invalid_body')({})).toThrow('The field order is missing.');
    expect(() => validatorOf(Ordered, 'invalid_body')({ order: 1_000 })).toThrow('The field order must not be greater than 999.');
  });

  it('report how long a text may be, even for a value that is not a text', () => {
    class Lengths {
      @Length(1, 100) title!: unknown;
      @Length(2) code!: unknown;
      @MinLength(8) secret!: unknown;
      @MaxLength(20) note!: unknown;
      @Length(1, 9, { each: true }) names!: unknown;
      @Length(1, 9, { message: 'must be a short name' }) own!: unknown;
    }
    const given = { title: '', code: 'a', secret: {}, note: 'x'.repeat(21), names: ['ann', ''], own: '' };
    const refusal = () => validatorOf(Lengths, 'invalid_body')(given);
    expect(refusal).toThrow('The field title must be a text of 1 to 100 characters.');
    expect(refusal).toThrow(
      expect.objectContaining({
        facts: {
          errors: [
            { path: 'title', message: 'must be a text of 1 to 100 characters' },
            { path: 'code', message: 'must be a text of at least 2 characters' },
            { path: 'secret', message: 'must be a text of at least 8 characters' },
            { path: 'note', message: 'must be a text of at most 20 characters' },
            { path: 'names', message: 'is not valid: each value must be a text of 1 to 9 characters' },
            { path: 'own', message: 'must be a short name' },
          ],
        },
      }),
    );
  });

  it.each<[string, () => BodyClass, string]>([
    [
      '@ValidatePromise',
      () => {
        class Promised {
          @ValidatePromise() value!: unknown;
        }
        return Promised;
      },
      'Promised.value: promiseValidation is not supported',
    ],
    [
      'a group',
      () => {
        class Grouped {
          @IsString({ groups: ['a'] }) value!: string;
        }
        return Grouped;
      },
      'Grouped.value: validation groups are not supported',
    ],
    [
      '@Transform',
      () => {
        class Transformed {
          @IsString() @Transform(({ value }) => String(value)) value!: string;
        }
        return Transformed;
      },
      'Transformed.value: @Transform is not supported',
    ],
    [
      '@ValidateNested without @Type',
      () => {
        class Nested {
          @ValidateNested() value!: Part;
        }
        return Nested;
      },
      'Nested.value: @ValidateNested and @Type belong together',
    ],
    [
      '@Type without @ValidateNested',
      () => {
        class Typed {
          @Type(() => Part) @IsString() value!: Part;
        }
        return Typed;
      },
      'Typed.value: @ValidateNested and @Type belong together',
    ],
  ])('refuse a class with %s', (_, make, message) => expect(() => shapeOf(make())).toThrow(message));
});
