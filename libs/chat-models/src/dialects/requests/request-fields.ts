/** Thrown for a request that cannot be sent to a provider with another API. The message continues a sentence that begins with the field. */
export class UntranslatableRequest extends Error {
  override readonly name = 'UntranslatableRequest';

  constructor(
    readonly code: 'invalid_body' | 'unsupported_parameter',
    /** Where the field is, such as `tools[0].type`. */
    readonly path: string,
    message: string,
  ) {
    super(message);
  }
}

export const unsupported = (path: string, message = 'is not supported by the provider of this model'): UntranslatableRequest =>
  new UntranslatableRequest('unsupported_parameter', path, message);

export const invalidField = (path: string, message: string): UntranslatableRequest =>
  new UntranslatableRequest('invalid_body', path, message);

/** The fields of an object of a request. A field with null counts as absent. */
export class RequestFields {
  private readonly unread: Set<string>;
  private readonly value: Readonly<Record<string, unknown>>;

  constructor(
    value: unknown,
    private readonly path = '',
  ) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalidField(path || 'body', 'must be an object');
    this.value = value as Readonly<Record<string, unknown>>;
    this.unread = new Set(Object.keys(value).filter((name) => this.value[name] !== null));
  }

  at(name: string): string {
    return this.path === '' ? name : `${this.path}.${name}`;
  }

  has(name: string): boolean {
    return (this.value[name] ?? null) !== null;
  }

  get(name: string): unknown {
    this.unread.delete(name);
    return this.value[name] ?? undefined;
  }

  text(name: string): string | undefined {
    const value = this.get(name);
    if (value !== undefined && typeof value !== 'string') throw invalidField(this.at(name), 'must be a text');
    return value;
  }

  requiredText(name: string): string {
    const value = this.text(name);
    if (value === undefined) throw invalidField(this.at(name), 'must be a text');
    return value;
  }

  number(name: string): number | undefined {
    const value = this.get(name);
    if (value !== undefined && typeof value !== 'number') throw invalidField(this.at(name), 'must be a number');
    return value;
  }

  flag(name: string): boolean | undefined {
    const value = this.get(name);
    if (value !== undefined && typeof value !== 'boolean') throw invalidField(this.at(name), 'must be true or false');
    return value;
  }

  list(name: string): readonly unknown[] | undefined {
    const value = this.get(name);
    if (value !== undefined && !Array.isArray(value)) throw invalidField(this.at(name), 'must be a list');
    return value;
  }

  fields(name: string): RequestFields | undefined {
    const value = this.get(name);
    return value === undefined ? undefined : new RequestFields(value, this.at(name));
  }

  /** The objects of a list. */
  each(name: string): readonly RequestFields[] {
    return (this.list(name) ?? []).map((item, index) => new RequestFields(item, `${this.at(name)}[${index}]`));
  }

  /** Fields without an effect on the answer. */
  ignore(...names: readonly string[]): void {
    for (const name of names) this.unread.delete(name);
  }

  /** Accepts a field only with values that change nothing. */
  allow(name: string, ...values: readonly unknown[]): void {
    const value = this.get(name);
    if (value !== undefined && !values.includes(value)) throw unsupported(this.at(name));
  }

  /** Throws for a field that was not read. */
  end(): void {
    for (const name of this.unread) throw unsupported(this.at(name));
  }
}
