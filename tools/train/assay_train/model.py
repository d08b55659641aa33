"""The prefix encoder with its head. Step 0 is the cosine baseline: what the head learns is added to it."""
import torch
import torch.nn.functional as F
from torch import nn

SCALE_RANK, SCALE_TRUTH = 12.0, 8.0
MEAN_COSINE = 0.3
NO_SLOT = -10000.0


class Head(nn.Module):
    """(pooled state u, pooled statement v, its [CLS]) -> ranking logit and truth logit."""

    def __init__(self, hidden):
        super().__init__()
        self.inner = nn.Linear(4 * hidden, hidden)
        self.outer = nn.Linear(hidden, 2)
        self.scale = nn.Parameter(torch.tensor([SCALE_RANK, SCALE_TRUTH]))
        self.shift = nn.Parameter(torch.tensor([0.0, -SCALE_TRUTH * MEAN_COSINE]))
        nn.init.normal_(self.inner.weight, std=0.02)
        nn.init.zeros_(self.inner.bias)
        nn.init.zeros_(self.outer.weight)
        nn.init.zeros_(self.outer.bias)

    def forward(self, u, v, first):
        length = (u.square().sum(-1) * v.square().sum(-1) + 1e-9).sqrt()
        cosine = ((u * v).sum(-1) / length).unsqueeze(-1)
        features = torch.cat([v, first, u * v * 4.0, (u - v).abs()], -1)
        return cosine * self.scale + self.shift + self.outer(torch.tanh(self.inner(features)))


class PrefixEncoder(nn.Module):
    def __init__(self, backbone):
        super().__init__()
        self.backbone = backbone
        self.head = Head(backbone.norm.weight.shape[0])

    def forward(self, batch):
        """Logits [examples, statements, 2]. Every example of a batch has as many blocks and statements as the others."""
        dtype = self.backbone.norm.weight.dtype
        examples, blocks, length = batch.block_mask.shape
        statements = batch.statement_mask.shape[1]
        read_mask = hide(batch.block_mask.view(-1, 1, 1, 1, length), dtype)
        kept, hidden = self.backbone.read(batch.block_ids.view(-1, length), read_mask)
        if blocks > 1:
            kept = [tuple(side_by_side(side, examples, blocks) for side in pair) for pair in kept]
        state_mask = batch.block_mask.view(examples, blocks * length)
        x = self.backbone.ask(
            batch.statement_ids.flatten(0, 1),
            kept,
            hide(state_mask[:, None, None, :], dtype),
            hide(batch.statement_mask[:, None, :, None, :], dtype),
            statements,
        ).unflatten(0, (examples, statements))
        u = mean(hidden.view(examples, blocks * length, -1), state_mask)
        v = mean(x.flatten(0, 1), batch.statement_mask.flatten(0, 1)).unflatten(0, (examples, statements))
        return self.head(u.unsqueeze(1).expand_as(v), v, x[:, :, 0].float())


def side_by_side(side, examples, blocks):
    """[examples * blocks, heads, length, dim] -> [examples, heads, blocks * length, dim]."""
    _, heads, length, dim = side.shape
    return side.view(examples, blocks, heads, length, dim).transpose(1, 2).reshape(examples, heads, blocks * length, dim)


def hide(mask, dtype):
    return ((1.0 - mask) * NO_SLOT).to(dtype)


def mean(x, mask):
    return torch.bmm(mask.to(x.dtype).unsqueeze(1), x).squeeze(1).float() / mask.sum(1, keepdim=True)
