import { Controller, Get } from '@nestjs/common';
import { Answers, Caller, SignedIn } from '@parlance/service-kit';
import { People } from '../projections/people.ts';
import { userAnswer } from './answers.ts';

@Controller('user')
export class UserController {
  constructor(private readonly people: People) {}

  @Get('me')
  @SignedIn()
  @Answers(200, userAnswer)
  me(@Caller() caller: Caller) {
    return this.people.byId(caller.userId);
  }
}
