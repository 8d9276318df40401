import { hash, verify } from '@node-rs/argon2';

/** Argon2id with the library's defaults, off the event loop. */
export class Passwords {
  /** Stands in for the hash of a user who isn't there, so that a wrong e-mail takes as long as a wrong password. */
  private readonly nobody = hash('nobody has this password');

  hash(password: string): Promise<string> {
    return hash(password);
  }

  async matches(password: string, passwordHash: string | null): Promise<boolean> {
    const matches = await verify(passwordHash ?? (await this.nobody), password);
    return matches && passwordHash !== null;
  }
}
