import { Controller, Get, Param } from '@nestjs/common';
import { refuse } from '@parlance/decider';
import { transportKey } from '@parlance/foundation';
import { MasterKey, SubjectKeys } from '@parlance/privacy';
import { Answers, Summary } from '@parlance/openapi';
import { Internal, Open } from '@parlance/http';
import { AccessTokens } from '../adapters/access-tokens.ts';

@Controller()
export class KeysController {
  private readonly transport: MasterKey;

  constructor(
    private readonly tokens: AccessTokens,
    private readonly subjectKeys: SubjectKeys,
    private readonly master: MasterKey,
  ) {
    this.transport = transportKey(master);
  }

  @Get('.well-known/jwks.json')
  @Open()
  @Summary('Get the public keys that verify access tokens.')
  @Answers(200, { type: 'object', required: ['keys'], properties: { keys: { type: 'array', items: { type: 'object' } } } })
  jwks() {
    return this.tokens.jwks();
  }

  /** A user's key for services that read sealed content. */
  @Get('internal/subject-keys/:subject')
  @Internal()
  async subjectKey(@Param('subject') subject: string) {
    const key = await this.subjectKeys.find(subject);
    if (!key) throw refuse('missing', 'subject_key_gone', 'There is no such key, or it was destroyed.');
    return { wrapped: this.master.wrap(key.bytes(), subject), transported: this.transport.wrap(key.bytes(), subject) };
  }
}
