"""The desk: what people can ask of the house, one function a request.

Commands and controls both end here: each function takes the house, the visit and what was asked
for, and returns a :class:`bot.front.reply.Reply`. For what may not be it raises a
:class:`bot.refusals.Refusal`.
"""
