import { createHmac } from 'node:crypto';
import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import { Config } from '@parlance/config';
import { refuse } from '@parlance/decider';
import { MasterKey } from '@parlance/privacy';
import { ALGORITHMS, type CoseKey, isSoundKey } from './passkey-keys.ts';
import type { AssertionJson, RegistrationJson } from './webauthn-json.ts';

/** A credential as its authenticator describes it. */
export interface MadeCredential {
  readonly id: string;
  /** COSE, in base64url. */
  readonly publicKey: string;
  readonly transports: readonly Transport[];
  readonly counter: number;
  readonly backupEligible: boolean;
  readonly backedUp: boolean;
}

export const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;
export type Transport = (typeof TRANSPORTS)[number];
const knownTransports: ReadonlySet<string> = new Set(TRANSPORTS);

/** Checks passkeys with the library @simplewebauthn/server, which is loaded for the first one. */
@Injectable()
export class Passkeys {
  private readonly challengeKey: Uint8Array;
  private readonly hashKey: Uint8Array;
  private readonly host: string;
  private readonly origins: string[];

  constructor({ publicBaseUrl, consoleOrigins }: Config, master: MasterKey) {
    this.challengeKey = master.derive('passkey-challenges');
    this.hashKey = master.derive('passkey-credentials');
    const { hostname, origin } = new URL(publicBaseUrl);
    this.host = hostname;
    this.origins = [...new Set([origin, ...consoleOrigins])];
  }

  /** Browsers create passkeys for host names, not for IP addresses. */
  get areAvailable(): boolean {
    return isIP(this.host.replace(/^\[|\]$/g, '')) === 0;
  }

  /** The host that passkeys belong to. Throws the refusal `passkeys_unavailable`. */
  get rpId(): string {
    if (!this.areAvailable)
      throw refuse(
        'conflict',
        'passkeys_unavailable',
        'Passkeys need a host name, and the address of this installation has none. An administrator can set one in publicBaseUrl.',
      );
    return this.host;
  }

  /** The challenge for a new passkey. It is derived, so that a repeated request gets the same one from any replica. */
  challengeFor(userId: string, factorId: string): string {
    return createHmac('sha256', this.challengeKey).update(`${userId}\0${factorId}`).digest('base64url');
  }

  /** A keyed hash, so that the log does not identify the authenticator. */
  hashOf(credentialId: string): string {
    return createHmac('sha256', this.hashKey).update(credentialId).digest('hex');
  }

  /** Null if the registration is not valid for this challenge, or not from a page of this installation. */
  async registered(response: RegistrationJson, expectedChallenge: string): Promise<MadeCredential | null> {
    const { rpId } = this;
    const [{ verifyRegistrationResponse }, helpers] = await Promise.all([
      import('@simplewebauthn/server'),
      import('@simplewebauthn/server/helpers'),
    ]);
    try {
      if (!isWithoutCertificates(helpers, response)) return null;
      const { verified, registrationInfo } = await verifyRegistrationResponse({
        response,
        expectedChallenge,
        expectedOrigin: this.origins,
        expectedRPID: rpId,
        requireUserVerification: false,
        supportedAlgorithmIDs: [...ALGORITHMS],
      });
      if (!verified) return null;
      const { credential, credentialDeviceType, credentialBackedUp } = registrationInfo;
      if (credential.id !== response.id) return null;
      if (!isSoundKey(helpers.decodeCredentialPublicKey(credential.publicKey) as unknown as CoseKey)) return null;
      return {
        id: credential.id,
        publicKey: Buffer.from(credential.publicKey).toString('base64url'),
        transports: [...new Set(response.response.transports ?? [])].filter((transport): transport is Transport =>
          knownTransports.has(transport),
        ),
        counter: credential.counter,
        backupEligible: credentialDeviceType === 'multiDevice',
        backedUp: credentialBackedUp,
      };
    } catch {
      // The library throws an Error for each invalid part.
      return null;
    }
  }

  /** Null if the assertion is not valid for this challenge and key. The counter is not compared: the stream of the factors does that. */
  async asserted(
    response: AssertionJson,
    expectedChallenge: string,
    key: { readonly id: string; readonly publicKey: string },
    requireUserVerification: boolean,
  ): Promise<{ readonly counter: number; readonly backedUp: boolean } | null> {
    const { rpId } = this;
    const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
    try {
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response,
        expectedChallenge,
        expectedOrigin: this.origins,
        expectedRPID: rpId,
        credential: { id: key.id, publicKey: new Uint8Array(Buffer.from(key.publicKey, 'base64url')), counter: 0 },
        requireUserVerification,
      });
      return verified ? { counter: authenticationInfo.newCounter, backedUp: authenticationInfo.credentialBackedUp } : null;
    } catch {
      return null;
    }
  }
}

/**
 * Browsers remove certificates, because the options ask for none. A registration with certificates is refused: the library would read them, and
 * might call the addresses in them to check for revocation.
 */
function isWithoutCertificates(helpers: typeof import('@simplewebauthn/server/helpers'), { response }: RegistrationJson): boolean {
  const attestation = helpers.decodeAttestationObject(helpers.isoBase64URL.toBuffer(response.attestationObject));
  const format = attestation.get('fmt');
  return format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined);
}
