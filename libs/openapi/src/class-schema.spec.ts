import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayUnique,
  Equals,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  Length,
  Matches,
  Max,
  Min,
  ValidateBy,
  ValidateNested,
} from 'class-validator';
import fc from 'fast-check';
import { type BodyClass, ChangesFields, MayBeNull, validatorOf } from '@parlance/http';
import { classSchema } from './class-schema.ts';
import { Components, type JsonSchema } from './json-schema.ts';

class Leaf {
  @Equals('leaf') kind!: 'leaf';
  @IsString() @Length(1, 3) name!: string;
}

class Tree {
  @Equals('tree') kind!: 'tree';
  @IsArray()
  @ArrayMaxSize(2)
  @ValidateNested({ each: true })
  @Type(() => Object, {
    discriminator: {
      property: 'kind',
      subTypes: [
        { name: 'leaf', value: Leaf },
        { name: 'tree', value: Tree },
      ],
    },
  })
  parts!: (Leaf | Tree)[];
}

class Body {
  @IsInt() @Min(1) @Max(9) size!: number;
  @IsOptional() @IsNumber() weight?: number;
  @IsOptional() @IsIn(['a', 'b']) grade?: string;
  @IsOptional() @IsString() @Matches(/^x*$/) only_x?: string;
  @IsOptional() @IsArray() @Length(1, 9, { each: true }) words?: string[];
  @IsOptional() @IsArray() @ArrayUnique() @IsString({ each: true }) tags?: string[];
  @IsOptional() @ValidateNested() @Type(() => Tree) tree?: Tree;
  @IsOptional() @IsObject() free?: Record<string, unknown>;
  @IsBoolean() on: boolean = true;
}

function documented(type: BodyClass): JsonSchema {
  const components = new Components();
  const schema = classSchema(type, components);
  return { ...schema, components: { schemas: components.schemas } };
}

const ajv = new Ajv2020({ strict: false });

describe('the schema of a body class', () => {
  it('accepts what the validator accepts, and nothing else', () => {
    const conforms = ajv.compile(documented(Body));
    const validate = validatorOf(Body, 'invalid_body');
    const accepted = (body: unknown): boolean => {
      try {
        validate(body);
        return true;
      } catch {
        return false;
      }
    };
    const odd = fc.constantFrom<unknown>(null, 'a', 'xx', 'leaf', 1, 1.5, 10, -1, true, [], {}, ['a', 'a'], ['a', 1], { kind: 'leaf' });
    const part: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
      leaf: fc.record({ kind: fc.constant('leaf'), name: fc.string({ maxLength: 4 }) }, { requiredKeys: ['kind'] }),
      tree: fc.record({
        kind: fc.constant('tree'),
        parts: fc.array(fc.oneof({ maxDepth: 3 }, tie('leaf'), tie('tree'), odd), { maxLength: 3 }),
      }),
    }))['tree'] as fc.Arbitrary<unknown>;
    const or = <T>(arbitrary: fc.Arbitrary<T>) => fc.oneof({ weight: 9, arbitrary }, { weight: 1, arbitrary: odd });
    const body = fc.record(
      {
        size: or(fc.integer({ min: 0, max: 10 })),
        weight: or(fc.integer()),
        grade: or(fc.constantFrom('a', 'b')),
        only_x: or(fc.constantFrom('', 'xx')),
        tags: or(fc.uniqueArray(fc.string())),
        words: fc.oneof(
          { weight: 9, arbitrary: fc.array(fc.string({ minLength: 1, maxLength: 9 })) },
          { weight: 1, arbitrary: fc.array(fc.integer()) },
        ),
        tree: or(part),
        free: or(fc.dictionary(fc.string(), fc.integer())),
        on: or(fc.boolean()),
        unknown: fc.constant(1),
      },
      { requiredKeys: ['size'] },
    );
    const seen = { accepted: 0, refused: 0 };
    fc.assert(
      fc.property(body, (given) => {
        const plain = JSON.parse(JSON.stringify(given)) as unknown;
        seen[accepted(plain) ? 'accepted' : 'refused']++;
        expect({ plain, ok: conforms(plain) }).toEqual({ plain, ok: accepted(plain) });
      }),
      { numRuns: 1_000 },
    );
    // About 40 of the generated values are accepted.
    expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(5);
  });

  it('states which properties are required, have a default, or may be null', () => {
    const { schemas } = documented(Body)['components'] as { schemas: Record<string, JsonSchema> };
    expect(Object.keys(schemas).sort()).toEqual(['Body', 'Leaf', 'Tree']);
    expect(schemas['Body']).toMatchObject({
      required: ['size'],
      additionalProperties: false,
      properties: {
        size: { type: 'integer', minimum: 1, maximum: 9 },
        weight: { type: ['number', 'null'] },
        grade: { enum: ['a', 'b', null] },
        on: { type: 'boolean', default: true },
        tree: { anyOf: [{ $ref: '#/components/schemas/Tree' }, { type: 'null' }] },
      },
    });
  });

  it('allows null for a property that may be absent, and for one with null as a value', () => {
    class Fields {
      @IsOptional() @IsInt() size?: number;
      @MayBeNull() @IsInt() @Min(1) until?: number | null;
      @MayBeNull() @Length(1, 3) note?: string | null;
      @MayBeNull() @ValidateNested() @Type(() => Leaf) leaf?: Leaf | null;
    }
    @ChangesFields()
    class Changes extends Fields {}
    const propertiesOf = (type: BodyClass) => {
      const { schemas } = documented(type)['components'] as { schemas: Record<string, { properties: Record<string, JsonSchema> }> };
      return schemas[type.name]!.properties;
    };
    const nullable = {
      until: { type: ['integer', 'null'], minimum: 1 },
      note: { type: ['string', 'null'], minLength: 1, maxLength: 3 },
      leaf: { anyOf: [{ $ref: '#/components/schemas/Leaf' }, { type: 'null' }] },
    };
    expect(propertiesOf(Fields)).toEqual({ size: { type: ['integer', 'null'] }, ...nullable });
    expect(propertiesOf(Changes)).toEqual({ size: { type: 'integer' }, ...nullable });
  });

  it('has no type if it lists the values of a property', () => {
    const { schemas } = documented(Body)['components'] as { schemas: Record<string, { properties: Record<string, JsonSchema> }> };
    expect(schemas['Body']!.properties['grade']).toEqual({ enum: ['a', 'b', null] });
    expect(schemas['Leaf']!.properties['kind']).toEqual({ const: 'leaf' });
  });

  it('is refused for a rule without a meaning in JSON Schema, unless the rule declares one', () => {
    const even = (options = {}) => ValidateBy({ name: 'isEven', validator: { validate: (value) => Number(value) % 2 === 0 } }, options);
    class Odd {
      @even() n!: number;
    }
    class Even {
      @even({ context: { schema: { type: 'integer', multipleOf: 2 } } }) n!: number;
    }
    expect(() => documented(Odd)).toThrow(/Odd\.n: what isEven means/);
    expect(documented(Even)).toMatchObject({
      components: { schemas: { Even: { properties: { n: { type: 'integer', multipleOf: 2 } } } } },
    });
  });
});
