import type { Attribute } from './resources/attribute.ts';
import { userAttributes, writableAttributes } from './resources/user-attributes.ts';

const text = { type: 'string' } as const;
const texts = { type: 'array', items: text } as const;

const meta = {
  type: 'object',
  properties: {
    resourceType: text,
    created: { ...text, format: 'date-time' },
    lastModified: { ...text, format: 'date-time' },
    version: { ...text, description: 'The ETag. Only users have one' },
    location: text,
  },
} as const;

/** The schemas of attributes with parts. */
const partsOf: Readonly<Record<string, object>> = {
  name: { type: 'object', properties: { formatted: text, givenName: text, familyName: text } },
  emails: { type: 'array', items: { type: 'object', properties: { value: text, type: text, primary: { type: 'boolean' } } } },
  groups: { type: 'array', items: { type: 'object', properties: { value: text, display: text, type: text, $ref: text } } },
};

const schemasOf = (attributes: readonly Attribute[]) =>
  Object.fromEntries(attributes.map(({ name, type }) => [name, partsOf[name] ?? { type }]));

/** The fields of a user that are read. Others are ignored. */
export const userBody = {
  type: 'object',
  required: ['userName'],
  properties: {
    schemas: texts,
    ...schemasOf(writableAttributes),
    userName: { ...text, description: 'E-mail address.' },
    displayName: { ...text, description: 'Used as the name if there is none' },
    emails: { ...partsOf['emails'], description: 'Used if userName is not an e-mail address' },
    password: { ...text, description: 'Never shown again. It has to be changed at the next sign-in' },
  },
} as const;

export const userAnswer = {
  type: 'object',
  required: ['schemas', 'id'],
  properties: {
    schemas: texts,
    id: text,
    externalId: text,
    ...schemasOf(userAttributes.filter(({ returned }) => returned !== 'never')),
    meta,
  },
} as const;

const members = {
  type: 'array',
  items: {
    type: 'object',
    required: ['value'],
    properties: { value: { ...text, description: 'User ID.' }, display: text, type: text },
  },
} as const;

export const groupBody = {
  type: 'object',
  required: ['displayName'],
  properties: { schemas: texts, displayName: text, members },
} as const;

export const groupAnswer = {
  type: 'object',
  required: ['schemas', 'id'],
  properties: { schemas: texts, id: { ...text, description: 'Group name.' }, displayName: text, members, meta },
} as const;

export const patchBody = {
  type: 'object',
  required: ['Operations'],
  properties: {
    schemas: texts,
    Operations: {
      type: 'array',
      minItems: 1,
      maxItems: 1000,
      items: {
        type: 'object',
        required: ['op'],
        properties: { op: { enum: ['add', 'remove', 'replace'], description: 'Operation, ignoring case.' }, path: text, value: {} },
      },
    },
  },
} as const;

export const listAnswer = (Resources: object) =>
  ({
    type: 'object',
    required: ['schemas', 'totalResults', 'startIndex', 'itemsPerPage', 'Resources'],
    properties: {
      schemas: texts,
      totalResults: { type: 'integer' },
      startIndex: { type: 'integer' },
      itemsPerPage: { type: 'integer' },
      Resources: { type: 'array', items: Resources },
    },
  }) as const;
