import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, sign, X509Certificate } from 'node:crypto';
import { selfSigned } from '@parlance/testing';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import type { AssertionJson, RegistrationJson } from '../../src/adapters/factors/webauthn-json.ts';

export const origin = 'https://parlance.example.org';
export const rpId = 'parlance.example.org';

interface CreationOptions {
  readonly challenge: string;
  readonly rp: { readonly id: string };
  readonly user: { readonly id: string };
}

interface RequestOptions {
  readonly challenge: string;
  readonly rpId: string;
}

/** Deviations from a correct authenticator in a correct browser. */
export interface Deviation {
  readonly challenge?: string;
  readonly origin?: string;
  readonly rpId?: string;
  readonly type?: string;
  readonly counter?: number;
  /** Whether the authenticator verifies its user by a PIN or a fingerprint. Default true. */
  readonly verifiesUser?: boolean;
  readonly userPresent?: boolean;
  readonly credentialId?: Buffer;
  /** Null: the authenticator sends none. */
  readonly userHandle?: string | null;
  /** The authenticator signs the new credential with the credential itself, or with a certificate of its manufacturer. */
  readonly attestation?: 'self' | 'certificate';
  /** Applied to the signature. */
  readonly tamper?: (signature: Buffer) => Buffer;
  /** A COSE key, sent instead of the authenticator's own key. */
  readonly publicKey?: Buffer;
  /** Signs instead of the authenticator's own key. */
  readonly signs?: (signed: Buffer) => Buffer;
  /** Applied to the authenticator data before it is signed. */
  readonly changesData?: (data: Buffer) => Buffer;
  /** Members of the client's data. */
  readonly clientData?: object;
  /** Members of the attestation object. */
  readonly attested?: Readonly<Record<string, unknown>>;
}

const [USER_PRESENT, USER_VERIFIED, BACKUP_ELIGIBLE, BACKED_UP, HAS_CREDENTIAL] = [0x01, 0x04, 0x08, 0x10, 0x40];

/** An authenticator with one P-256 credential. With `counts`, its counter grows with each use. */
export class SoftwareAuthenticator {
  readonly credentialId: Buffer;
  private readonly keys: { readonly privateKey: KeyObject; readonly publicKey: KeyObject };
  private counter: number;
  private userHandle = '';

  constructor(private readonly counts = false) {
    this.credentialId = randomBytes(32);
    this.keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.counter = 0;
  }

  create({ challenge, rp, user }: CreationOptions, over: Deviation = {}): RegistrationJson {
    this.userHandle = user.id;
    const id = over.credentialId ?? this.credentialId;
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    const credential = Buffer.concat([Buffer.alloc(16), length, id, over.publicKey ?? this.publicKey()]);
    const made = Buffer.concat([this.authenticatorData({ rpId: rp.id, ...over }, HAS_CREDENTIAL), credential]);
    const authData = over.changesData?.(made) ?? made;
    const clientDataJSON = clientData({ type: 'webauthn.create', challenge, ...over });
    const attestation = new Map<string, unknown>([
      ['fmt', over.attestation ? 'packed' : 'none'],
      ['attStmt', over.attestation ? this.statementOf(over.attestation, signedPart(authData, clientDataJSON)) : new Map()],
      ['authData', new Uint8Array(authData)],
      ...Object.entries(over.attested ?? {}),
    ]);
    const response = {
      clientDataJSON,
      attestationObject: Buffer.from(isoCBOR.encode(attestation as never)).toString('base64url'),
      transports: ['internal', 'hybrid'],
    };
    const text = id.toString('base64url');
    return { id: text, rawId: text, type: 'public-key', clientExtensionResults: {}, response } as RegistrationJson;
  }

  get(options: RequestOptions, over: Deviation = {}): AssertionJson {
    if (this.counts) this.counter++;
    const clientDataJSON = clientData({ type: 'webauthn.get', challenge: options.challenge, ...over });
    const data = this.authenticatorData({ rpId: options.rpId, ...over }, 0);
    const authenticatorData = over.changesData?.(data) ?? data;
    const signed = signedPart(authenticatorData, clientDataJSON);
    const signature = over.signs?.(signed) ?? sign('sha256', signed, this.keys.privateKey);
    const id = (over.credentialId ?? this.credentialId).toString('base64url');
    const response = {
      clientDataJSON,
      authenticatorData: authenticatorData.toString('base64url'),
      signature: (over.tamper?.(signature) ?? signature).toString('base64url'),
      ...(over.userHandle !== null && { userHandle: over.userHandle ?? this.userHandle }),
    };
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }

  private statementOf(attestation: 'self' | 'certificate', signed: Buffer): Map<string, unknown> {
    const by = (key: KeyObject) =>
      new Map<string, unknown>([
        ['alg', -7],
        ['sig', new Uint8Array(sign('sha256', signed, key))],
      ]);
    if (attestation === 'self') return by(this.keys.privateKey);
    // The subject has the fields that WebAuthn requires, so that a library that reads the certificate accepts it.
    const { key, cert } = selfSigned('Model 1', { country: 'CH', organization: 'Maker', unit: 'Authenticator Attestation' });
    return by(createPrivateKey(key)).set('x5c', [new Uint8Array(new X509Certificate(cert).raw)]);
  }

  private authenticatorData({ rpId: id = rpId, counter, verifiesUser = true, userPresent = true }: Deviation, flags: number): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter ?? this.counter);
    const all = flags | (userPresent ? USER_PRESENT! : 0) | (verifiesUser ? USER_VERIFIED! : 0) | BACKUP_ELIGIBLE! | BACKED_UP!;
    return Buffer.concat([createHash('sha256').update(id).digest(), Buffer.from([all]), count]);
  }

  /** COSE: key type EC2, algorithm ES256, curve P-256. */
  publicKey(): Buffer {
    const { x, y } = this.keys.publicKey.export({ format: 'jwk' });
    return cose([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytesOf(x)],
      [-3, bytesOf(y)],
    ]);
  }
}

/** The bytes of a part of a JSON Web Key. */
export const bytesOf = (text = ''): Uint8Array => new Uint8Array(Buffer.from(text, 'base64url'));

export const cose = (key: readonly (readonly [number, number | Uint8Array])[]): Buffer =>
  Buffer.from(isoCBOR.encode(new Map(key) as never));

const signedPart = (authenticatorData: Buffer, clientDataJSON: string): Buffer =>
  Buffer.concat([authenticatorData, createHash('sha256').update(Buffer.from(clientDataJSON, 'base64url')).digest()]);
const clientData = ({ type, challenge, origin: from = origin, clientData: more }: Deviation): string =>
  Buffer.from(JSON.stringify({ type, challenge, origin: from, crossOrigin: false, ...more })).toString('base64url');
