interface Traits extends Readonly<Partial<Record<'multiValued' | 'required' | 'caseExact', boolean>>> {
  readonly type?: 'string' | 'boolean' | 'complex' | 'reference';
  readonly mutability?: 'readWrite' | 'readOnly' | 'immutable' | 'writeOnly';
  readonly returned?: 'default' | 'never';
  readonly uniqueness?: 'none' | 'server';
  readonly canonicalValues?: readonly string[];
  readonly referenceTypes?: readonly string[];
  readonly subAttributes?: readonly Attribute[];
}

export interface Attribute extends Traits {
  readonly name: string;
  readonly description: string;
}

/** An attribute with all characteristics of RFC 7643, 7. */
export const described = (name: string, description: string, traits: Traits = {}): Attribute => ({
  name,
  type: 'string',
  multiValued: false,
  description,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...traits,
});

/** The sub-attributes that refer to the other resource. */
export const reference = (type: string, resource: string) => [
  described('type', `Always ${type}.`, { mutability: 'readOnly', canonicalValues: [type] }),
  described('$ref', `Address of the ${resource.toLowerCase()}.`, {
    type: 'reference',
    mutability: 'readOnly',
    caseExact: true,
    referenceTypes: [resource],
  }),
];
