import { Injectable } from '@nestjs/common';
import { type Sealed, Vault } from '@parlance/privacy';
import type { Transport } from '../../adapters/factors/passkeys.ts';
import type { Passkey } from '../../domain/credentials/passkeys.ts';

/** The sealed part of a passkey. */
export interface OpenedPasskey {
  readonly factorId: string;
  readonly id: string;
  /** COSE, in base64url. */
  readonly publicKey: string;
  readonly transports: readonly Transport[];
  readonly name: string;
}

/** Opens the sealed parts of passkeys. */
@Injectable()
export class PasskeyDetails {
  constructor(private readonly vault: Vault) {}

  /** Leaves out the passkeys of an erased user. */
  async of(passkeys: readonly Passkey[]): Promise<readonly OpenedPasskey[]> {
    const opened = await Promise.all(passkeys.map((passkey) => this.one(passkey)));
    return opened.filter((passkey) => passkey !== null);
  }

  async one({ factorId, details }: Passkey): Promise<OpenedPasskey | null> {
    const opened = await this.vault.openJson<Omit<OpenedPasskey, 'factorId'>>(details as Sealed);
    return opened && { factorId, ...opened };
  }
}
