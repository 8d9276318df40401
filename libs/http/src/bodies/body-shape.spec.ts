import { describe, expect, it } from '@jest/globals';
import { Refusal } from '@parlance/decider';
import { Transform, Type } from 'class-transformer';
import { Allow, IsString, ValidateNested, ValidatePromise } from 'class-validator';
import { type BodyClass, shapeOf } from './body-shape.ts';
import { validatorOf } from './body-validator.ts';

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

  it('apply a rule with each to every item of a list, and refuse what is no list', () => {
    class Listed {
      @IsString({ each: true }) names!: string[];
    }
    const validate = validatorOf(Listed, 'invalid_body');
    expect(validate({ names: ['ann', 'ben'] })).toEqual({ names: ['ann', 'ben'] });
    for (const names of [['ann', 7], [7, 'ben'], 'ann']) expect(() => validate({ names })).toThrow(Refusal);
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
