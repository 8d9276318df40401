import { createRequire } from 'node:module';
import type { TypeMetadata } from 'class-transformer';
import { getMetadataStorage, ValidateIf, type ValidatorConstraintInterface } from 'class-validator';
import type { ValidationMetadata } from 'class-validator/types/metadata/ValidationMetadata.js';

const load = createRequire(import.meta.url);
// Adds `Reflect.getMetadata`, unless Nest has already added it.
load('reflect-metadata');
// class-transformer keeps its decorators' metadata in a module that it does not export from its index.
const { defaultMetadataStorage } = load('class-transformer/cjs/storage.js') as typeof import('class-transformer/types/storage.js');

export type BodyClass = new () => object;

export interface Rule {
  readonly metadata: ValidationMetadata;
  readonly constraint: ValidatorConstraintInterface;
}

export interface Property {
  readonly name: string;
  readonly rules: readonly Rule[];
  /** Conditions of `@IsOptional` and `@ValidateIf`. If one is false, the value is not validated. */
  readonly conditions: readonly ((body: object, value: unknown) => boolean)[];
  readonly optional: boolean;
  /** True if null is a valid value. */
  readonly nullable: boolean;
  readonly nested: Nested | null;
  /** The type of the property at run time: String, Number, Boolean, Array, Object or a class. */
  readonly designType: unknown;
}

export interface Nested {
  readonly each: boolean;
  /** The class of every item, or one class for each value of the discriminating property. */
  readonly only: BodyClass | null;
  readonly by: { readonly property: string; readonly classes: ReadonlyMap<string, BodyClass> } | null;
}

const optionalBodies = new WeakSet<BodyClass>();

/** For a body whose fields are all optional. A request without a body is treated as one with an empty object. */
export const MayBeLeftOut = (): ClassDecorator => (type) => void optionalBodies.add(type as unknown as BodyClass);

export const mayBeLeftOut = (type: BodyClass): boolean => optionalBodies.has(type);

const changes = new WeakSet<BodyClass>();

/**
 * For the body of a change: absent fields keep their values, and null is refused unless it is a valid value of the field. In other bodies, a
 * field with null counts as absent.
 */
export const ChangesFields = (): ClassDecorator => (type) => void changes.add(type as unknown as BodyClass);

export const changesFields = (type: BodyClass): boolean => changes.has(type);

const NULLABLE = { nullable: true };

/** For an optional field of which null is a valid value, such as "no expiry". */
export const MayBeNull = (): PropertyDecorator => ValidateIf((_, value) => value !== undefined && value !== null, { context: NULLABLE });

const shapes = new WeakMap<BodyClass, ReadonlyMap<string, Property>>();

/**
 * The rules that the decorators of class-validator (and `@Type` of class-transformer) declare for a class. They are read once. Validation and
 * OpenAPI both use them, so that the two always agree. Throws Error for unsupported decorators: asynchronous rules, groups, `@Type` without
 * `@ValidateNested` and the reverse, class-transformer's `@Transform`, `@Expose` and `@Exclude`.
 */
export function shapeOf(type: BodyClass): ReadonlyMap<string, Property> {
  let shape = shapes.get(type);
  if (shape === undefined) {
    const storage = getMetadataStorage();
    const all = storage.getTargetValidationMetadatas(type, type.name, true, false);
    shape = new Map(Object.entries(storage.groupByPropertyName(all)).map(([name, own]) => [name, propertyOf(type, name, own)]));
    shapes.set(type, shape);
  }
  return shape;
}

function propertyOf(type: BodyClass, name: string, metadatas: ValidationMetadata[]): Property {
  const label = `${type.name}.${name}`;
  const rules: Rule[] = [];
  const conditions: ((body: object, value: unknown) => boolean)[] = [];
  let optional = false;
  let nullable = false;
  let nested: ValidationMetadata | null = null;
  for (const metadata of metadatas) {
    if (metadata.groups !== undefined && metadata.groups.length > 0) throw new Error(`${label}: validation groups are not supported`);
    if (metadata.type === 'customValidation') rules.push({ metadata, constraint: constraintOf(metadata, label) });
    else if (metadata.type === 'nestedValidation') nested = metadata;
    else if (metadata.type === 'conditionalValidation') {
      conditions.push(metadata.constraints[0] as (body: object, value: unknown) => boolean);
      optional ||= metadata.name === 'isOptional';
      nullable ||= metadata.context === NULLABLE;
    } else if (metadata.type !== 'whitelistValidation') throw new Error(`${label}: ${metadata.type} is not supported`);
  }
  if (defaultMetadataStorage.findTransformMetadatas(type, name, 'plainToClass' as never).length > 0) {
    throw new Error(`${label}: @Transform is not supported`);
  }
  const typed = defaultMetadataStorage.findTypeMetadata(type, name) as TypeMetadata | undefined;
  if ((typed === undefined) !== (nested === null)) throw new Error(`${label}: @ValidateNested and @Type belong together`);
  const designType: unknown = Reflect.getMetadata('design:type', type.prototype as object, name);
  return {
    name,
    rules,
    conditions,
    optional,
    nullable,
    nested: typed === undefined ? null : nestedOf(typed, nested?.each === true || designType === Array, label),
    designType,
  };
}

function constraintOf(metadata: ValidationMetadata, label: string): ValidatorConstraintInterface {
  const [found] = getMetadataStorage().getTargetValidatorConstraints(metadata.constraintCls);
  if (found === undefined || found.async) throw new Error(`${label}: asynchronous rules are not supported`);
  return found.instance;
}

function nestedOf(typed: TypeMetadata, each: boolean, label: string): Nested {
  const { discriminator } = typed.options ?? {};
  if (discriminator === undefined) {
    const only = typed.typeFunction?.() as BodyClass | undefined;
    if (only === undefined) throw new Error(`${label}: @Type names no class`);
    return { each, only, by: null };
  }
  const classes = new Map(discriminator.subTypes.map(({ name, value }) => [name, value as BodyClass]));
  return { each, only: null, by: { property: discriminator.property, classes } };
}
