import { Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import {
  BodyBytes,
  BodyLimit,
  Caller,
  LongAnswer,
  openAiErrorForm,
  type ReceivedBytes,
  RefusesAs,
  SignedIn,
  TakesBytes,
} from '@parlance/http';
import { Answers, Summary, Takes } from '@parlance/openapi';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { modelCaller } from '../../workflows/calls/allowed-models.ts';
import { MAX_REQUEST_BYTES } from '../bodies/message-body.ts';
import { CallAnswers } from './call-answers.ts';
import { AnswersCalls, CALL_REQUEST, RefusesCalls } from './call-routes.ts';

/** Calls of models that make images and speech, for programs with a token. */
@Controller('v1')
@SignedIn()
@RefusesAs(openAiErrorForm)
export class MediaCallsController {
  constructor(private readonly answers: CallAnswers) {}

  @Post('images/generations')
  @HttpCode(200)
  @TakesBytes('application/json')
  @BodyLimit(MAX_REQUEST_BYTES)
  @LongAnswer()
  @Summary("Make images in OpenAI's format. The request reaches the provider unchanged.")
  @Takes(CALL_REQUEST)
  @AnswersCalls()
  async images(
    @Caller() caller: Caller,
    @BodyBytes() { bytes }: ReceivedBytes,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ) {
    await this.answers.answer('images/generations', modelCaller(caller), bytes, request.raw, reply);
  }

  @Post('audio/speech')
  @HttpCode(200)
  @TakesBytes('application/json')
  @BodyLimit(MAX_REQUEST_BYTES)
  @LongAnswer()
  @Summary("Speak a text in OpenAI's format. The request reaches the provider unchanged, and the audio is passed on as it comes.")
  @Takes(CALL_REQUEST)
  @Answers(200, { type: 'string', format: 'binary' }, { mediaType: 'audio/*' })
  @Answers(200, { type: 'string' }, { mediaType: 'text/event-stream' })
  @RefusesCalls()
  async speak(@Caller() caller: Caller, @BodyBytes() { bytes }: ReceivedBytes, @Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    await this.answers.answer('audio/speech', modelCaller(caller), bytes, request.raw, reply);
  }
}
