"""The loss of a batch, summed over its examples, and how many of them are answered right."""
import torch.nn.functional as F


def loss_of(logits, batch):
    if batch.truth:
        truth = logits[:, 0, 1].float()
        loss = F.binary_cross_entropy_with_logits(truth, batch.targets[:, 0], reduction="sum")
        right = (truth > 0) == (batch.targets[:, 0] > 0.5)
    else:
        rank = logits[:, :, 0].float()
        loss = -(batch.targets * rank.log_softmax(-1)).sum()
        right = rank.argmax(-1) == batch.targets.argmax(-1)
    return loss, int(right.sum())
